import type { GivenAdvice } from '../../../contract/feedback-analysis.ts'
import { count, date, plural } from './format.ts'
import { codeSpan } from './sanitize.ts'

/** At most this many pieces of advice are described one by one. */
const shownAdvice = 3

const results: [GivenAdvice['result'], one: string, many: string][] = [
  ['worked', 'worked', 'worked'],
  ['less-than-predicted', 'helped less than predicted', 'helped less than predicted'],
  ['no-effect-seen', 'showed no improvement', 'showed no improvement'],
  ['too-few-answers', 'has too few answers so far', 'have too few answers so far'],
  ['not-tried', 'was not tried', 'were not tried'],
]

/**
 * A paragraph of the summary, if there is earlier advice. Titles contain names that senders chose,
 * so they are code spans.
 */
export function formatEarlierAdvice(advice: GivenAdvice[] = []): string[] {
  if (advice.length === 0) return []
  const counts = results.flatMap(([result, one, many]) => {
    const n = advice.filter((given) => given.result === result).length
    return n === 0 ? [] : [`${count(n)} ${n === 1 ? one : many}`]
  })
  const lines = advice
    .filter(({ seen }) => seen)
    .slice(0, shownAdvice)
    .map(
      ({ title, givenAt, predicted, seen }) =>
        `- ${codeSpan(title)} (${date(new Date(givenAt))}): ${signed(seen!.change)} negative answers per 30 days (95 % interval ${signed(seen!.low)} to ${signed(seen!.high)}), predicted ${signed(predicted)}.`,
    )
  const pieces = plural(advice.length, 'piece')
  return [
    [
      `**What became of earlier advice.** Of ${pieces} of advice, ${counts.join(', ')}.`,
      ...(lines.length > 0 ? ['', ...lines] : []),
    ].join('\n'),
  ]
}

/**
 * For agents: sentences about advice that showed no improvement, and the lines of the data block
 * with its titles. The sentences refer to these lines by their labels: L.1, L.2, and so on. A label
 * that begins with another letter is that of a current finding (A, B, …) or of an answer (N).
 */
export function adviceWithoutEffect(advice: GivenAdvice[] = []): { lines: string[]; data: string[] } {
  const failed = advice.filter(({ result }) => result === 'no-effect-seen').slice(0, shownAdvice)
  return {
    lines: failed.map(
      ({ givenAt }, i) =>
        `The finding L.${i + 1} in the data block was reported on ${date(new Date(givenAt))}. The version that runs now does not improve it: choose a different fix.`,
    ),
    data: failed.map(({ title }, i) => `L.${i + 1}: ${title}`),
  }
}

function signed(n: number): string {
  return n > 0 ? `+${count(n)}` : n < 0 ? `−${count(-n)}` : '0'
}
