import type { AnalysisInput } from './analyst.ts'
import { choiceFindings } from './choice-findings.ts'
import { hasTrait } from './common-trait.ts'
import { type Comparison, type LosingCandidate, losingOwnCandidates } from './comparisons.ts'
import { describeVersion, factorNames, versionFinding } from './describe-version.ts'
import type { FieldEffect } from './field-effects.ts'
import type { Finding } from './finding.ts'
import { count, formatPValue, ofHowMany, percent, plural } from './format.ts'
import type { Observation } from './observation.ts'
import { shareOf } from './proportions.ts'
import type { Naming } from './references.ts'
import type { ReviewerEffect } from './reviewer-effects.ts'
import type { TextFigures, Theme } from './themes.ts'

const highTimeoutShare = 0.2
const minAnswersForTimeouts = 10
/** With fewer texts of negative answers, the advice is to ask people for the reason. */
const fewTexts = 10
const maxFindings = 5
/** If this many are expected, chance leaves out all of them in less than 1 % of cases. */
const minExpectedIfUnresolved = 5

/**
 * What to change: at most five findings, those with the largest gain first. The gain of most
 * findings is a number of negative answers and that of a candidate a number of decisions; both are
 * numbers of answers, so they are sorted together.
 */
export function deriveFindings({ figures, health }: AnalysisInput, name: Naming): Finding[] {
  if (health.tooFew) return []
  const { texts, fieldEffects, testedFormFields, actions, comparisons, trend } = figures
  const isNegative = (id: string) =>
    actions.some(({ actionId, outcome }) => actionId === id && outcome === 'negative')
  const findings = [
    versionFinding(figures, name),
    ...losingOwnCandidates(comparisons).map((lost) => candidateFinding(lost, name)),
    ...fieldEffects.map((effect) => fieldFinding(effect, name)),
    ...texts.themes.map((theme) => themeFinding(theme, texts, name)),
    ...choiceFindings(testedFormFields, isNegative, figures.observations, name),
    // A worse version already explains a rise.
    trend?.direction === 'rises' && !health.currentIsWorse ? riseFinding(figures, name) : undefined,
    ...comparisons.map((comparison) => orderFinding(comparison, name)),
    deadlineFinding(figures),
  ]
    .filter((finding) => finding !== undefined)
    .filter((finding) => !isResolved(finding, figures))
  if (findings.length === 0 && health.tooNegative) return [unexplained(figures)]
  return findings
    .map((finding) => ({
      ...finding,
      ...(finding.gain !== undefined && { gain: finding.gain * extrapolation(finding.kind, figures) }),
    }))
    .sort((a, b) => (b.gain ?? 0) - (a.gain ?? 0))
    .slice(0, maxFindings)
}

/**
 * Whether the version that runs now no longer has the cause: none of its negative answers has the
 * trait, although at the rate of the other versions several would.
 */
function isResolved({ kind, trait }: Finding, { current, observations }: AnalysisInput['figures']): boolean {
  if (!trait || kind === 'version' || !current || current.verdict === 'only-version') return false
  const isCurrent = ({ version }: Observation) => version === current.version
  // Answers are newest first, so that most findings end here, after a few.
  if (observations.some((one) => one.isNegative && isCurrent(one) && hasTrait(one, trait))) return false
  const compared = observations.filter(
    (one) => one.hasContent && (!('field' in trait) || hasTrait(one, trait)),
  )
  const negative = compared.filter((one) => one.isNegative && hasTrait(one, trait))
  const ownCount = compared.filter(isCurrent).length
  return (negative.length / (compared.length - ownCount)) * ownCount >= minExpectedIfUnresolved
}

/**
 * What the gain of a finding is multiplied by so that it applies to all answers. Field effects are
 * counted in the newest answers whose content exists, a version's gain already in all answers, and
 * all other gains in all answers except the repeats of bulk answers.
 */
function extrapolation(
  kind: Finding['kind'],
  { answers, repeats, observations }: AnalysisInput['figures'],
): number {
  if (kind === 'field')
    return answers / Math.max(1, observations.filter(({ hasContent }) => hasContent).length)
  return kind === 'version' ? 1 : answers / Math.max(1, answers - repeats)
}

function candidateFinding({ field, own }: LosingCandidate, name: Naming): Finding {
  const { rival } = own
  return {
    kind: 'candidate',
    title: `Your candidate ${name(own.name)} in ${name(field)} loses`,
    evidence: `It wins ${ofHowMany(own)} decisions about the version that runs now; by chance it would be ${percent(own.expected)} (${formatPValue(own.pValue)}).${rival ? ` ${name(rival.name)} wins ${count(rival.winCount)} of them.` : ''}`,
    advice: `Compare it with ${rival ? name(rival.name) : 'the other candidates'} on tasks of this type, and find out what people prefer. The Handled page lists the decisions.`,
    gain: own.expected * own.n - own.count,
    chart: {
      title: `Wins in ${field}`,
      bars: [
        { ...shareOf(own.count, own.n), label: own.name, isMarked: true },
        ...(rival ? [{ ...shareOf(rival.winCount, own.n), label: rival.name, isMarked: false }] : []),
      ],
    },
  }
}

function fieldFinding({ field, value, marked, others, pValue }: FieldEffect, name: Naming): Finding {
  return {
    kind: 'field',
    title: `Tasks ${value === '' ? 'without a value' : `with ${name(value)}`} in ${name(field)} get more negative answers`,
    evidence: `Negative: ${ofHowMany(marked)}, against ${ofHowMany(others)} other tasks (${formatPValue(pValue)} after correction).`,
    advice: 'Find out what the agent does differently for them, or what makes them harder.',
    gain: marked.count - others.share * marked.n,
    trait: { field, value },
    chart: {
      title: `Negative, by ${field}`,
      bars: [
        { ...marked, label: value === '' ? 'Without it' : value, isMarked: true },
        { ...others, label: 'Other tasks', isMarked: false },
      ],
    },
  }
}

function themeFinding(theme: Theme, { compared, otherTexts }: TextFigures, name: Naming): Finding {
  const { words, negative, negativeTexts, others } = theme
  const [own, rest] = [shareOf(negative, negativeTexts), shareOf(others, otherTexts)]
  return {
    kind: 'theme',
    title: `Negative answers are about ${words.map(name).join(', ')}`,
    evidence: `${words.length === 1 ? 'This word' : 'One of these words'}, or one of the same meaning, is in ${count(negative)} of ${plural(negativeTexts, 'negative answer')} with text (${percent(own.share)})${
      compared
        ? `, and in ${count(others)} of ${plural(otherTexts, 'other answer')} with text: more than chance explains.`
        : `. ${onlyCounted(negativeTexts, otherTexts)}`
    }`,
    advice:
      'Read these answers, find what they share, and change what the agent does before it sends the task.',
    gain: compared ? negative - rest.share * negativeTexts : negative,
    isGainAnUpperLimit: !compared,
    theme,
    trait: { terms: theme.terms },
    quotes: theme.quotes,
    chart: {
      title: `Answers that mention ${words.length === 1 ? 'this word' : 'these words'}`,
      bars: [
        { ...own, label: 'Negative answers', isMarked: true },
        ...(compared ? [{ ...rest, label: 'Other answers', isMarked: false }] : []),
      ],
    },
  }
}

function riseFinding(figures: AnalysisInput['figures'], name: Naming): Finding {
  const { before, after, pValue } = figures.trend!
  return {
    kind: 'trend',
    title: 'Negative answers are rising',
    evidence: `${ofHowMany(before)} in the older half of the days, ${ofHowMany(after)} in the newer (${formatPValue(pValue)}).`,
    advice: `${explainRise(figures, name)} Look at what changed outside the agent, too: inputs, data, policy, the people who answer.`,
    chart: {
      title: 'Negative, by time',
      bars: [
        { ...after, label: 'Newer half', isMarked: true },
        { ...before, label: 'Older half', isMarked: false },
      ],
    },
  }
}

/** What is known about versions as the cause of a rise. */
function explainRise({ current }: AnalysisInput['figures'], name: Naming): string {
  if (!current || current.verdict === 'only-version')
    return current?.version === null
      ? 'The tasks have no `version`, so it is unknown whether a release caused it: send a `version` with each task.'
      : 'All answers are to the same version, so no release explains it.'
  return describeVersion(current, name)
}

function orderFinding({ field, position }: Comparison, name: Naming): Finding | undefined {
  if (!position.known || !position.isBiased) return undefined
  const more = position.firstWins > position.expected ? 'more' : 'less'
  return {
    kind: 'order',
    title: `The order decides in ${name(field)}`,
    evidence: `The candidate shown first wins ${count(position.firstWins)} of ${count(position.n)} decisions; if the order had no influence, about ${count(Math.round(position.expected))} would be expected (${formatPValue(position.pValue)}).`,
    advice: `People choose the first position ${more} often than its content deserves. The order is already random, so win rates are fair on average, but small differences between candidates are hidden. Collect more decisions before you call a winner.`,
  }
}

function deadlineFinding({ timeouts, answers }: AnalysisInput['figures']): Finding | undefined {
  const all = timeouts + answers
  if (all < minAnswersForTimeouts || timeouts / all < highTimeoutShare) return undefined
  return {
    kind: 'deadline',
    title: 'Deadlines decide too often',
    evidence: `Of ${plural(all, 'task')} decided by people or by timeout, timeouts decided ${count(timeouts)} (${percent(timeouts / all)}).`,
    advice: 'Give people more time (`expiresInSeconds`), or do not ask if the answer does not matter.',
  }
}

/** Only members see it: an agent cannot learn anything from it. */
export function reviewerFinding(effect: ReviewerEffect, name: Naming): Finding {
  const { reviewer, direction, own, others, pValue } = effect
  const tested = factorNames(effect.testedWithin, name)
  const untested = factorNames(effect.notSeparatedFrom, name)
  return {
    kind: 'reviewer',
    title: `${reviewer} gives ${direction === 'more' ? 'more' : 'fewer'} negative answers than others do`,
    evidence: `Negative: ${ofHowMany(own)}, against ${ofHowMany(others)} by the others (${formatPValue(pValue)} after correction${
      tested === '' ? '' : `, also when compared separately by ${tested}`
    }).${untested === '' ? '' : ` Too few answers can be compared separately by ${untested}, which may be the cause instead.`}`,
    advice: 'Agree on when to answer negatively. The agent cannot learn two standards.',
    trait: { reviewer },
    chart: {
      title: 'Negative, by reviewer',
      bars: [
        { ...own, label: reviewer, isMarked: true },
        { ...others, label: 'Everyone else', isMarked: false },
      ],
    },
  }
}

/** Says why words were counted but not tested. */
function onlyCounted(negativeTexts: number, otherTexts: number): string {
  const [n, answers] =
    negativeTexts < otherTexts
      ? [negativeTexts, `${plural(negativeTexts, 'negative answer')} with text`]
      : [otherTexts, `${plural(otherTexts, 'other answer')} with text`]
  const why =
    n === 0
      ? 'there are no other answers with text to compare with'
      : `${answers} ${n === 1 ? 'is' : 'are'} too few to compare with`
  return `Counted, not tested: ${why}.`
}

function unexplained({ negative, current, texts }: AnalysisInput['figures']): Finding {
  const hasFewTexts = texts.negativeTexts < fewTexts
  // The same share as in the verdict, which is about the version that runs now.
  const share =
    !current || current.verdict === 'only-version'
      ? ofHowMany(negative)
      : `${ofHowMany(current.all)} answers to the version that runs now`
  return {
    kind: 'unexplained',
    title: 'Too many negative answers, and no single cause stands out',
    evidence: `Negative: ${share}. No version, reason or trend explains them${texts.compared ? ', and no word distinguishes them' : ''}.`,
    advice: hasFewTexts
      ? 'Few people say why. Give the negative action a form that asks for the reason, with a handful of choices.'
      : 'Read some of the texts below. A choice of reasons in the form of the negative action would let the next analysis count them.',
    ...(texts.examples.length > 0 && { quotes: texts.examples }),
  }
}
