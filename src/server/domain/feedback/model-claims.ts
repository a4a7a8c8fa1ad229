import type { AnalysisInput } from './analyst.ts'

// Finds claims that a language model may not make, as far as they can be recognized by phrases.

// A plain "no" negates only what follows it directly: "no doubt this is healthy" negates nothing.
const negation =
  /\bno (?:(?:need|reason) (?:to|for) (?:an? )?|\p{L}+ or )?$|\b(?:not|never|no longer|cannot|without|neither|nor|far from|less than|instead of|rather than|avoid|stop|unless)\b[^.!?\n]{0,40}$|n['’]t\b[^.!?\n]{0,40}$/iu

/** For each match of the pattern: whether the words before it negate it, and what follows it. */
function mentions(text: string, pattern: RegExp): { isNegated: boolean; rest: string }[] {
  return [...text.matchAll(pattern)].map(({ 0: match, index }) => ({
    isNegated: negation.test(text.slice(Math.max(0, index - 80), index)),
    rest: text.slice(index + match.length, index + match.length + 60),
  }))
}

const healthy = /(?<![\p{L}-])healthy\b/giu
const unhealthy = /\b(?:un|non-?)healthy\b/gi
const nothingToDo =
  /\bno (?:further )?(?:change|action|problem|issue)s? (?:is |are |was )?(?:needed|required|necessary|exists?|found)\b|\bnothing (?:to |needs? to |must |has to )?(?:change|fix|improve|be changed)\b|\bneeds? no (?:change|fix|improvement)s?\b|\bchange nothing\b|\b(?:everything|all) (?:is|works|looks) (?:fine|well|good|in order)\b|\bin good shape\b|\bno reason (?:for concern|to worry)\b/gi
const alarm =
  /\b(?:is|are) (?:broken|failing|unacceptable|unusable|dangerous)\b|\b(?:urgent(?:ly)?|critical|emergency|alarming|immediate action)\b/gi

/** Whether a text says the opposite of the verdict, which comes from counts. */
export function contradictsVerdict(text: string, { isHealthy }: AnalysisInput['health']): boolean {
  const says = (pattern: RegExp, negated: boolean) =>
    mentions(text, pattern).some(({ isNegated }) => isNegated === negated)
  return isHealthy
    ? says(unhealthy, false) || says(healthy, true) || says(alarm, false)
    : says(healthy, false) || says(unhealthy, true) || says(nothingToDo, false)
}

const goBack =
  /\b(?:roll(?:ed|ing|s)?[- ]?backs?|revert(?:ed|ing|s)?|go(?:ing)? back|return(?:ing)? to|switch(?:ing)? back|downgrad(?:e|ed|ing)|restor(?:e|ing)|undo(?:ing)?)\b/gi

/**
 * Whether a text proposes to go back to a version other than `advised`, such as [1]. If `advised`
 * is undefined, the findings advise no version, and the text may not propose any.
 */
export function goesBackElsewhere(text: string, advised: string | undefined): boolean {
  return mentions(text, goBack).some(({ isNegated, rest }) => {
    if (isNegated) return false
    const target = /^[^.!?\n]*?(\[\d+\])/.exec(rest)?.[1]
    return advised === undefined || (target !== undefined && target !== advised)
  })
}

/** The words for what has a name. The first one of a sentence has a capital letter. */
const kinds =
  '(?:[Aa]ctions?|[Bb]uttons?|[Oo]ptions?|[Cc]hoices?|[Vv]ersions?|[Rr]eleases?|[Bb]uilds?|[Cc]andidates?)'
/** Matches a quoted name, such as `the action "Escalate"`, or a version number. */
const quotedKind = new RegExp(
  String.raw`\b${kinds} (?:(?:called|named|labell?ed|titled) )?["“„«'‘\x60*]|["”“»'’\x60*] ${kinds}\b|\b(?:versions?|releases?|builds?) v?\p{N}`,
  'iu',
)
/** Matches a capitalized name within a sentence, such as "the Escalate action". */
const capitalizedKind = new RegExp(
  String.raw`\p{Ll} \p{Lu}\p{Ll}+(?: \p{Ll}+)? ${kinds}\b|\b(?:called|named) \p{Lu}`,
  'u',
)

/**
 * Whether a text contains a name. A model must refer to names by their numbers: a name in its text
 * could be one that no finding is about, or contain an instruction.
 */
export function namesSomething(text: string, names: string[]): boolean {
  const plain = text.replace(/\[\d+\]/g, '[]')
  return (
    quotedKind.test(plain) ||
    capitalizedKind.test(plain) ||
    names.some((name) => name !== '' && new RegExp(patternOf(name), 'u').test(plain))
  )
}

function patternOf(name: string): string {
  const exact = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const [start, end] = [String.raw`(?<![\p{L}\p{N}_])`, String.raw`(?![\p{L}\p{N}_])`]
  // "14" or "refund" are also ordinary numbers and words.
  if (/^[\p{Ll}]+$|^[\p{N}.,]+$/u.test(name)) {
    const atStart = exact.replace(/^\p{Ll}/u, (first) => `[${first}${first.toUpperCase()}]`)
    return `${start}${kinds} ${exact}${end}|["“\`*]${exact}["”\`*]|${start}${atStart} ${kinds}`
  }
  // "Approve" may begin a sentence.
  if (/^\p{Lu}\p{Ll}+$/u.test(name)) return String.raw`(?<=[\p{L}\p{N},;] )${exact}${end}`
  return `${start}(?:${exact}|${exact.toLowerCase()})${end}`
}
