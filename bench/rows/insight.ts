import { createFigures, type Figures } from '../../src/server/domain/feedback/figures.ts'
import { deriveFindings } from '../../src/server/domain/feedback/findings.ts'
import { healthOf } from '../../src/server/domain/feedback/health.ts'
import { complete } from '../../src/server/lib/event-loop.ts'
import type { AnalyzedAnswer } from '../../src/server/storage/feedback/answers.ts'
import type { Context, Result, Row, Target } from '../frame/row.ts'
import { spread } from '../frame/row.ts'
import { isEverUnhealthy } from '../insight/repeated-looks.ts'
import * as scenarios from '../insight/scenarios.ts'
import { themeScenarios } from '../insight/theme-scenarios.ts'

const seeds = { quick: 200, full: 1_000 }

/**
 * Measures in how many of the generated data sets of a scenario, whose causes are known, a claim is
 * made.
 */
export const insight: Row = {
  name: 'insight',
  about: 'what the analysis says about 1,000 generated data sets per scenario (--quick: 200)',
  async run({ quick, showProgress }: Context) {
    const count = quick ? seeds.quick : seeds.full
    const results: Result[] = []
    const measure = async (
      scenario: string,
      claim: string,
      generate: (seed: number) => AnalyzedAnswer[],
      says: (figures: Figures) => boolean,
      target?: Omit<Target, 'of'>,
    ) => {
      showProgress(scenario)
      await new Promise((resolve) => setImmediate(resolve))
      let said = 0
      for (let seed = 1; seed <= count; seed++) if (says(analyze(generate(seed)))) said++
      results.push({
        what: `${scenario}: ${claim}`,
        unit: '%',
        product: spread([(100 * said) / count]),
        ...(target && { targets: [{ of: 'product', ...target }] }),
      })
    }

    for (const [scenario, options] of Object.entries(scenarios.harmless)) {
      const generate = (seed: number) => scenarios.generateScenario(seed, options)
      const value = harmlessTargets[scenario] ?? 5
      await measure(scenario, 'advice to go back', generate, goesBack, { is: 'at most', value })
    }
    const bulk = 'one bulk rejection of 60 with a bulkId'
    const inBulk = (seed: number) => scenarios.generateScenario(seed, scenarios.harmless[bulk]!)
    await measure(bulk, 'not healthy', inBulk, isUnhealthy, { is: 'at most', value: 5 })
    const clean = (seed: number) => scenarios.generateScenario(seed, {})
    await measure('clean data', 'any claim', clean, claimsAnything, { is: 'at most', value: 6 })
    for (const [scenario, options] of Object.entries(scenarios.fixed)) {
      const generate = (seed: number) => scenarios.generateScenario(seed, options)
      await measure(scenario, 'not healthy', generate, isUnhealthy, { is: 'at most', value: 5 })
    }
    for (const [scenario, options] of Object.entries(scenarios.worse)) {
      const generate = (seed: number) => scenarios.generateScenario(seed, options)
      const value = scenario.includes('hidden') ? 80 : 95
      await measure(scenario, 'called worse', generate, isWorse, { is: 'at least', value })
    }
    const reversed = (seed: number) => scenarios.generateScenario(seed, scenarios.reversed)
    await measure(
      'a version worse by 8 points in each input group that looks better (1,600 answers)',
      'called worse',
      reversed,
      isWorse,
      { is: 'at least', value: 70 },
    )
    const few = (seed: number) => scenarios.generateScenario(seed, scenarios.fewAndBad)
    await measure('the current version is bad and has few answers', 'not healthy', few, isUnhealthy, {
      is: 'at least',
      value: 95,
    })
    const field = (seed: number) => scenarios.generateScenario(seed, scenarios.causeIsField)
    await measure('the cause is a field of the context', 'the field is named', field, namesCurrency, {
      is: 'at least',
      value: 95,
    })
    const strict = (seed: number) => scenarios.generateScenario(seed, scenarios.strictReviewer)
    await measure('one of five reviewers rejects everything', 'named to members', strict, namesReviewer, {
      is: 'at least',
      value: 95,
    })
    const hard = (seed: number) => scenarios.generateScenario(seed, scenarios.reviewerOfHardTasks)
    await measure('one reviewer gets the hard tasks', 'named to members', hard, namesReviewer, {
      is: 'at most',
      value: 5,
    })
    const choice = (seed: number) => scenarios.generateScenario(seed, scenarios.choiceOnEveryAnswer)
    await measure('an option of a form field that every answer has', 'called a reason', choice, namesChoice, {
      is: 'at most',
      value: 5,
    })
    await measure(
      'the sender sorts the candidates by its own score',
      'called a position bias',
      scenarios.generateSortedComparisons,
      ({ comparisons }) => comparisons.some(({ position }) => position.known && position.isBiased),
      { is: 'at most', value: 5 },
    )
    const losing = (seed: number) => scenarios.generateOwnCandidate(seed, 0.35)
    const targetLosing = { is: 'at least', value: 95 } as const
    await measure(
      'the candidate marked `ours` wins 35 % of 200 decisions between two',
      'it is named',
      losing,
      namesOwn,
      targetLosing,
    )
    const equal = (seed: number) => scenarios.generateOwnCandidate(seed, 0.5)
    const targetEqual = { is: 'at most', value: 5 } as const
    await measure(
      'the candidate marked `ours` is equal to the other',
      'it is named',
      equal,
      namesOwn,
      targetEqual,
    )
    results.push(...(await measureRepeatedLooks(count, showProgress)))
    for (const { scenario, claim, generate, says, target } of themeScenarios)
      await measure(
        scenario,
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

/**
 * Measures how often an app and type whose negative share never changes is ever called not healthy.
 */
async function measureRepeatedLooks(count: number, showProgress: (text: string) => void): Promise<Result[]> {
  const results: Result[] = []
  for (const [releases, days] of Object.entries(releaseDays)) {
    for (const share of [2, 4, 6, 8, 10, 12, 15]) {
      const scenario = `${share} % negative, ${releases}`
      showProgress(scenario)
      await new Promise((resolve) => setImmediate(resolve))
      let ever = 0
      for (let seed = 1; seed <= count; seed++) if (isEverUnhealthy(seed, share / 100, days)) ever++
      results.push({
        what: `${scenario}: ever not healthy in 30 daily looks`,
        unit: '%',
        product: spread([(100 * ever) / count]),
        // A healthy share is at most 10 %. From 10 % on, the verdict "not healthy" may be right.
        ...(share <= 8 && { targets: [{ of: 'product', is: 'at most', value: 10 }] }),
      })
    }
  }
  return results
}

// In percent: the targets of scenarios in which wrong advice is allowed in more than 5 % of data
// sets.
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
  return complete(figures.finish())
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
      ...scenarios.period,
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
  reviewerEffects.some(
    ({ reviewer, direction }) => reviewer === scenarios.reviewers[0] && direction === 'more',
  )
const hasThemes = ({ texts }: Figures) => texts.themes.length > 0
const namesOwn = (figures: Figures) =>
  isUnhealthy(figures) && findingsOf(figures).some(({ title }) => title.startsWith('Your candidate a '))
const namesChoice = (figures: Figures) =>
  findingsOf(figures).some(({ title }) => /is chosen more often|people choose .* most often/.test(title))
