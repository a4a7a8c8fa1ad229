import type { Figures } from '../../src/server/domain/feedback/figures.ts'
import type { AnalyzedAnswer } from '../../src/server/storage/feedback/answers.ts'
import type { Target } from '../frame/row.ts'
import { type Complaint, complaints, heldOut } from './complaints.ts'
import { reworded } from './reworded.ts'
import { generateTextAnswers, type TextOptions } from './text-scenarios.ts'

type ThemeScenario = {
  scenario: string
  claim: string
  generate(seed: number): AnalyzedAnswer[]
  /**
   * Whether the analysis makes the claim. Left out: whether it makes any claim or finds any theme.
   */
  says?(figures: Figures): boolean
  /** Left out: the figure is only for information. */
  target?: Omit<Target, 'of'>
}

const minCoverage = 0.7
const minPrecision = 0.5
const mixed = 'a complaint in 20 % of the rejections in mixed wording'

/**
 * A scenario with a complaint. The claim is made if one theme covers 70 % of the texts about the
 * complaint and at least half of the theme's texts are about it.
 */
function complaintScenario(
  scenario: string,
  subjects: Record<string, Complaint>,
  options: Partial<TextOptions>,
  target?: number,
): ThemeScenario {
  // The tasks with the complaint in the data set that was generated last: `says` is called for this
  // one.
  let complained = new Set<string>()
  return {
    scenario: `${scenario} (600 answers, 16 % negative)`,
    claim: 'found as one theme that covers 70 % of it',
    generate(seed) {
      const generated = generateTextAnswers(seed, {
        complaints: Object.values(subjects),
        onlyRejections: false,
        ...options,
      })
      complained = generated.complained
      return generated.answers
    },
    says: ({ texts }) =>
      texts.themes.some(({ taskIds }) => {
        const hits = taskIds.filter((id) => complained.has(id)).length
        return hits >= minCoverage * complained.size && hits >= minPrecision * taskIds.length
      }),
    ...(target !== undefined && { target: { is: 'at least', value: target } }),
  }
}

const cleanScenario = (scenario: string, onlyRejections: boolean): ThemeScenario => ({
  scenario: `${scenario} (1,200 answers)`,
  claim: 'any claim or theme',
  generate: (seed) => generateTextAnswers(seed, { onlyRejections }).answers,
  target: { is: 'at most', value: 6 },
})

export const themeScenarios: ThemeScenario[] = [
  complaintScenario(mixed, complaints, {}, 90),
  complaintScenario(`${mixed}, only rejections have text`, complaints, { onlyRejections: true }, 80),
  complaintScenario(`${mixed}, written after the word groups`, reworded, {}),
  complaintScenario(`${mixed}, only rejections have text, written after the word groups`, reworded, {
    onlyRejections: true,
  }),
  complaintScenario(
    'a complaint in words that are in no word group, in English',
    heldOut,
    { language: 'en' },
    90,
  ),
  complaintScenario('a complaint in words that are in no word group, in seven languages', heldOut, {}),
  cleanScenario('clean data with comments', false),
  cleanScenario('clean data, only rejections have text', true),
]
