import { createRandom, type Random } from '../../src/server/domain/demo/random.ts'
import type { StoredAction } from '../../src/server/storage/engine/task-tables.ts'
import type { AnalyzedAnswer } from '../../src/server/storage/feedback/answers.ts'
import * as chatter from './chatter.ts'
import { type Complaint, type Language, languages } from './complaints.ts'
import { generateScenario } from './scenarios.ts'

export type TextOptions = {
  /** The seed chooses one of these complaints. Left out: the rejections have no common reason. */
  complaints?: Complaint[]
  /** Whether approvals have no text. */
  onlyRejections: boolean
  /** The language of the complaints. Left out: all, mixed. */
  language?: Language
}

/**
 * Both kinds of data sets have about 96 rejections. Without a complaint, the share of rejections is
 * lower, because the data set must count as healthy.
 */
const withComplaint = { n: 600, negative: 0.16 }
const withoutComplaint = { n: 1_200, negative: 0.08 }
const complaintShare = 0.2
const approvalsWithText = 0.3
const typoShare = 0.15

const comment = { type: 'object', properties: { comment: { type: 'string', title: 'Comment' } } }
const actions: StoredAction[] = [
  { id: 'approve', title: 'Approve', outcome: 'positive', schema: comment },
  { id: 'reject', title: 'Reject', outcome: 'negative', schema: comment },
]

/** The answers, and the ids of the tasks whose answer has the complaint. */
type TextAnswers = { answers: AnalyzedAnswer[]; complained: Set<string> }

/**
 * Generates answers in which all rejections have a text. With a complaint, 20 % of them are about
 * it.
 */
export function generateTextAnswers(
  seed: number,
  { complaints, onlyRejections, language }: TextOptions,
): TextAnswers {
  const random = createRandom(seed + 77)
  const complaint = complaints?.[seed % complaints.length]
  const complained = new Set<string>()
  const { n, negative } = complaint ? withComplaint : withoutComplaint
  const change = (answer: { negative: number }) => {
    answer.negative = negative
  }
  const rows = generateScenario(seed, { n, actions, change }).map((row, i) => {
    const isRejection = row.actionId === 'reject'
    const isComplaint = isRejection && complaint !== undefined && random.chance(complaintShare)
    if (isComplaint) complained.add(row.taskId)
    const hasText = isRejection || (!onlyRejections && random.chance(approvalsWithText))
    const text = isComplaint ? complain(random, complaint, language) : remark(random, isRejection)
    return {
      ...row,
      name: `${random.pick(chatter.taskNames)} ${1_000 + i}`,
      description: random.pick(chatter.taskDescriptions),
      data: hasText ? { comment: text } : {},
    }
  })
  return { answers: rows, complained }
}

function complain(random: Random, complaint: Complaint, language?: Language): string {
  const text = random.pick(complaint[language ?? pickLanguage(random)])
  return withPhrases(random, misspell(random, text))
}

function pickLanguage(random: Random): Language {
  let left = random.next() * Object.values(languages).reduce((a, b) => a + b)
  for (const [language, weight] of Object.entries(languages)) {
    left -= weight
    if (left < 0) return language as Language
  }
  return 'en'
}

/**
 * Rejections and approvals have the same remarks. Some have blame or praise before the remark, or
 * only blame or praise.
 */
function remark(random: Random, isRejection: boolean): string {
  const blameOrPraise = random.pick(isRejection ? chatter.blame : chatter.praise)
  if (random.chance(0.15)) return blameOrPraise
  const text = misspell(random, random.pick(chatter.remarks))
  return withPhrases(random, random.chance(0.2) ? `${blameOrPraise} ${text}` : text)
}

function withPhrases(random: Random, text: string): string {
  const plain = random.chance(0.15) ? text.toLowerCase().replace(/\.$/, '') : text
  const before = random.chance(0.2) ? `${random.pick(chatter.openings)} ` : ''
  const after = random.chance(0.25) ? ` ${random.pick(chatter.closings)}` : ''
  return before + plain + after
}

/** Swaps, drops or doubles a letter of one word in some texts. */
function misspell(random: Random, text: string): string {
  if (!random.chance(typoShare)) return text
  const long = [...text.matchAll(/\p{Script=Latin}{5,}/gu)]
  if (long.length === 0) return text
  const word = random.pick(long)
  const at = word.index + 1 + Math.floor(random.next() * (word[0].length - 2))
  const [one, two] = [text[at]!, text[at + 1]!]
  const typed = random.pick([two + one, one, one + one + two])
  return text.slice(0, at) + typed + text.slice(at + 2)
}
