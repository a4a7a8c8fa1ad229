import { createFigures, type Figures } from '../../src/server/domain/feedback/figures.ts'
import { deriveFindings } from '../../src/server/domain/feedback/findings.ts'
import { healthOf } from '../../src/server/domain/feedback/health.ts'
import type { AnalyzedAnswer } from '../../src/server/storage/feedback/answers.ts'
import type { Context, Result, Row, Target } from '../frame/row.ts'
import { spread } from '../frame/row.ts'
import { isEverUnhealthy } from '../insight/repeated-looks.ts'
import * as worlds from '../insight/worlds.ts'
import { themeWorlds } from '../insight/theme-worlds.ts'

const seeds = { quick: 200, full: 1_000 }

/** In how many generated data sets, whose truth is known, an analysis makes a claim. */
export const insight: Row = {
  name: 'insight',
  about: 'what the analysis says about 1,000 generated data sets per scenario (--quick: 200)',
  async run({ quick, showProgress }: Context) {
    const count = quick ? seeds.quick : seeds.full
    const results: Result[] = []
    const measure = async (
      world: string,
      claim: string,
      generate: (seed: number) => AnalyzedAnswer[],
      says: (figures: Figures) => boolean,
      target?: Omit<Target, 'of'>,
    ) => {
      showProgress(world)
      await new Promise((resolve) => setImmediate(resolve))
      let said = 0
      for (let seed = 1; seed <= count; seed++) if (says(analyze(generate(seed)))) said++
      results.push({
        what: `${world}: ${claim}`,
        unit: '%',
        product: spread([(100 * said) / count]),
        ...(target && { targets: [{ of: 'product', ...target }] }),
      })
    }

    for (const [world, options] of Object.entries(worlds.harmless)) {
      const generate = (seed: number) => worlds.generateWorld(seed, options)
      const value = harmlessTargets[world] ?? 5
      await measure(world, 'advice to go back', generate, goesBack, { is: 'at most', value })
    }
    const bulk = 'one bulk rejection of 60 with a bulkId'
    const bulkWorld = (seed: number) => worlds.generateWorld(seed, worlds.harmless[bulk]!)
    await measure(bulk, 'not healthy', bulkWorld, isUnhealthy, { is: 'at most', value: 5 })
    const clean = (seed: number) => worlds.generateWorld(seed, {})
    await measure('clean data', 'any claim', clean, claimsAnything, { is: 'at most', value: 6 })
    for (const [world, options] of Object.entries(worlds.fixed)) {
      const generate = (seed: number) => worlds.generateWorld(seed, options)
      await measure(world, 'not healthy', generate, isUnhealthy, { is: 'at most', value: 5 })
    }
    for (const [world, options] of Object.entries(worlds.worse)) {
      const generate = (seed: number) => worlds.generateWorld(seed, options)
      const value = world.includes('hidden') ? 80 : 95
      await measure(world, 'called worse', generate, isWorse, { is: 'at least', value })
    }
    const reversed = (seed: number) => worlds.generateWorld(seed, worlds.reversed)
    await measure(
      'a version worse by 8 points in each input group that looks better (1,600 answers)',
      'called worse',
      reversed,
      isWorse,
      { is: 'at least', value: 70 },
    )
    const few = (seed: number) => worlds.generateWorld(seed, worlds.fewAndBad)
    await measure('the current version is bad and has few answers', 'not healthy', few, isUnhealthy, {
      is: 'at least',
      value: 95,
    })
    const field = (seed: number) => worlds.generateWorld(seed, worlds.causeIsField)
    await measure('the cause is a field of the context', 'the field is named', field, namesCurrency, {
      is: 'at least',
      value: 95,
    })
    const strict = (seed: number) => worlds.generateWorld(seed, worlds.strictReviewer)
    await measure('one of five reviewers rejects everything', 'named to members', strict, namesReviewer, {
      is: 'at least',
      value: 95,
    })
    const hard = (seed: number) => worlds.generateWorld(seed, worlds.reviewerOfHardTasks)
    await measure('one reviewer gets the hard tasks', 'named to members', hard, namesReviewer, {
      is: 'at most',
      value: 5,
    })
    const choice = (seed: number) => worlds.generateWorld(seed, worlds.choiceOnEveryAnswer)
    await measure('a choice that is asked on every answer', 'called a reason', choice, namesChoice, {
      is: 'at most',
      value: 5,
    })
    await measure(
      'the sender sorts the candidates by its own score',
      'called a position bias',
      worlds.generateSortedComparisons,
      ({ comparisons }) => comparisons.some(({ position }) => position.known && position.isBiased),
      { is: 'at most', value: 5 },
    )
    const losing = (seed: number) => worlds.generateOwnCandidate(seed, 0.35)
    const targetLosing = { is: 'at least', value: 95 } as const
    await measure(
      'the candidate marked `ours` wins 35 % of 200 decisions between two',
      'it is named',
      losing,
      namesOwn,
      targetLosing,
    )
    const equal = (seed: number) => worlds.generateOwnCandidate(seed, 0.5)
    const targetEqual = { is: 'at most', value: 5 } as const
    await measure(
      'the candidate marked `ours` is equal to the other',
      'it is named',
      equal,
      namesOwn,
      targetEqual,
    )
    results.push(...(await measureRepeatedLooks(count, showProgress)))
    for (const { world, claim, generate, says, target } of themeWorlds)
      await measure(
        world,
        claim,
        generate,
        says ?? ((figures) => claimsAnything(figures) || hasThemes(figures)),
        target,
      )
    return results
  },
}

/** Days between releases; the answers of a run cover 60 days. */
const releaseDays = { 'no release': 100, 'one release': 30, 'a release every 10 days': 10 }

/** Measures how often an app and type whose negative share never changes is ever called not healthy. */
async function measureRepeatedLooks(count: number, showProgress: (text: string) => void): Promise<Result[]> {
  const results: Result[] = []
  for (const [releases, days] of Object.entries(releaseDays)) {
    for (const share of [2, 4, 6, 8, 10, 12, 15]) {
      const world = `${share} % negative, ${releases}`
      showProgress(world)
      await new Promise((resolve) => setImmediate(resolve))
      let ever = 0
      for (let seed = 1; seed <= count; seed++) if (isEverUnhealthy(seed, share / 100, days)) ever++
      results.push({
        what: `${world}: ever not healthy in 30 daily looks`,
        unit: '%',
        product: spread([(100 * ever) / count]),
        // From 10 % on, which is the limit of a healthy share, the verdict may be right.
        ...(share <= 8 && { targets: [{ of: 'product', is: 'at most', value: 10 }] }),
      })
    }
  }
  return results
}

// In percent, for worlds in which wrong advice is allowed in more than the usual 5 %.
const harmlessTargets: Record<string, number> = {
  'one bulk rejection of 60': 6,
  'one hour of incidents': 6,
  'a release on a weekend': 10,
  'a sudden rise halfway through the new version, not caused by it': 10,
  'a slow drift from 5 to 20 %': 10,
}

function analyze(answers: AnalyzedAnswer[]): Figures {
  const figures = createFigures()
  for (const answer of answers) figures.add(answer)
  return figures.finish()
}

const goesBack = ({ current }: Figures) => current?.goBackTo !== undefined
const isWorse = ({ current }: Figures) => current?.verdict === 'worse' || current?.verdict === 'worse-hidden'
const isUnhealthy = (figures: Figures) => !healthOf(figures).isHealthy
const namesCurrency = ({ fieldEffects }: Figures) =>
  fieldEffects.some(({ field, value }) => field === 'context.currency' && value === 'CHF')

const findingsOf = (figures: Figures) =>
  deriveFindings(
    {
      app: 'shop',
      type: 'review',
      ...worlds.period,
      figures,
      health: healthOf(figures),
      urlOf: (id: string) => id,
    },
    (text) => text,
  )
const claimsAnything = (figures: Figures) =>
  findingsOf(figures).length > 0 ||
  figures.reviewerEffects.length > 0 ||
  figures.current?.verdict === 'better'
const namesReviewer = ({ reviewerEffects }: Figures) =>
  reviewerEffects.some(({ reviewer, direction }) => reviewer === worlds.reviewers[0] && direction === 'more')
const hasThemes = ({ texts }: Figures) => texts.themes.length > 0
const namesOwn = (figures: Figures) =>
  isUnhealthy(figures) && findingsOf(figures).some(({ title }) => title.startsWith('Your candidate a '))
const namesChoice = (figures: Figures) =>
  findingsOf(figures).some(({ title }) => /is chosen more often|people choose .* most often/.test(title))
