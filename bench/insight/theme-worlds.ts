import type { Figures } from '../../src/server/domain/feedback/figures.ts'
import type { AnalyzedAnswer } from '../../src/server/storage/feedback/answers.ts'
import type { Target } from '../frame/row.ts'
import { type Complaint, complaints, heldOut } from './complaints.ts'
import { reworded } from './reworded.ts'
import { generateTextWorld, type TextOptions } from './text-worlds.ts'

type ThemeWorld = {
  world: string
  claim: string
  generate(seed: number): AnalyzedAnswer[]
  /** Whether the analysis makes the claim. Left out: whether it makes any claim or finds any theme. */
  says?(figures: Figures): boolean
  /** Left out: the figure is only for information. */
  target?: Omit<Target, 'of'>
}

const minCoverage = 0.7
const minPrecision = 0.5
const mixed = 'a complaint in 20 % of the rejections in mixed wording'

/**
 * The claim: one theme covers 70 % of the complaint's texts, and at least half of its texts are
 * about the complaint.
 */
function complaintWorld(
  world: string,
  subjects: Record<string, Complaint>,
  options: Partial<TextOptions>,
  target?: number,
): ThemeWorld {
  // Of the world that was generated last, which is the one that `says` checks.
  let complained = new Set<string>()
  return {
    world: `${world} (600 answers, 16 % negative)`,
    claim: 'found as one theme that covers 70 % of it',
    generate(seed) {
      const generated = generateTextWorld(seed, {
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

const cleanWorld = (world: string, onlyRejections: boolean): ThemeWorld => ({
  world: `${world} (1,200 answers)`,
  claim: 'any claim or theme',
  generate: (seed) => generateTextWorld(seed, { onlyRejections }).answers,
  target: { is: 'at most', value: 6 },
})

export const themeWorlds: ThemeWorld[] = [
  complaintWorld(mixed, complaints, {}, 90),
  complaintWorld(`${mixed}, only rejections have text`, complaints, { onlyRejections: true }, 80),
  complaintWorld(`${mixed}, written after the tables`, reworded, {}),
  complaintWorld(`${mixed}, only rejections have text, written after the tables`, reworded, {
    onlyRejections: true,
  }),
  complaintWorld('a complaint in words of no table, in English', heldOut, { language: 'en' }, 90),
  complaintWorld('a complaint in words of no table, in seven languages', heldOut, {}),
  cleanWorld('clean data with comments', false),
  cleanWorld('clean data, only rejections have text', true),
]
