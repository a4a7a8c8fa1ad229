import type { CurrentVersion } from './current-version.ts'
import type { Figures } from './figures.ts'
import type { Finding } from './finding.ts'
import { date, formatPValue, ofHowMany, points } from './format.ts'
import type { Factor } from './observation.ts'
import { detectableDifference } from './proportions.ts'
import type { Naming } from './references.ts'

const dayMilliseconds = 24 * 3600 * 1000

/** How the version that runs now compares with the others. Empty if there are no others. */
export function describeVersion(current: CurrentVersion, name: Naming): string {
  const which = atStart(versionName(current, name))
  const shares = `${ofHowMany(current.all)} against ${ofHowMany(current.others)}`
  switch (current.verdict) {
    case 'only-version':
      return ''
    case 'too-few':
      return `There are too few answers to compare ${versionName(current, name)} with the others.`
    case 'no-difference':
      return `${which} does not differ measurably from the others (${noDifference(current)}).`
    case 'explained':
      return `${which} has ${current.all.share > current.others.share ? 'more' : 'fewer'} negative answers than the others (${shares}), but ${explanation(current, name)}`
    case 'not-confirmed':
      return `${which} has ${current.all.share > current.others.share ? 'more' : 'fewer'} negative answers than the others (${shares}), but compared separately by ${factorNames([current.explainedBy as Factor], name)} the difference is not clear (${formatPValue(current.pValue!)}), so the version may not be the cause.`
    case 'worse-hidden':
      return `${which} ${current.notSeparatedFrom.includes('time') ? 'gets more negative answers for comparable tasks than the others' : 'is worse than its share shows'}. ${evidenceOf(current, name)}`
    default: {
      const more = current.verdict === 'worse' ? 'more' : 'fewer'
      const claim = current.notSeparatedFrom.includes('time')
        ? `gets ${more} negative answers`
        : `is ${current.verdict}`
      return `${which} ${claim} than the others. ${evidenceOf(current, name)}`
    }
  }
}

/** A finding if the version that runs now is worse, or only seems to be. */
export function versionFinding({ current, versions, answers }: Figures, name: Naming): Finding | undefined {
  if (current?.verdict === 'worse' || current?.verdict === 'worse-hidden') {
    const quotes = versions.find(({ version }) => version === current.version)?.quotes ?? []
    return {
      kind: 'version',
      ...worseTexts(current, name),
      // If this version goes on running, all answers will be to it.
      gain: Math.max(0, current.difference) * answers,
      trait: { version: current.version },
      chart: versionChart(current),
      ...(quotes.length > 0 && { quotes }),
    }
  }
  if (current?.verdict !== 'explained' || current.difference <= 0) return undefined
  return {
    kind: 'version',
    title: `More negative answers since ${versionName(current, name)}, probably not because of it`,
    evidence: describeVersion(current, name),
    advice: 'Do not roll back for this reason alone.',
    chart: versionChart(current),
  }
}

function worseTexts(current: CurrentVersion, name: Naming): Pick<Finding, 'title' | 'evidence' | 'advice'> {
  const which = atStart(versionName(current, name))
  const evidence = evidenceOf(current, name)
  const comparable = current.verdict === 'worse' ? '' : ' for comparable tasks'
  if (current.notSeparatedFrom.includes('time'))
    return {
      title: `More negative answers${comparable} since ${versionName(current, name)}: the version, or a change over time`,
      evidence,
      advice: 'Send tasks of both versions on the same days to find out, before you roll back.',
    }
  const causes = causeNames(current.notSeparatedFrom, name)
  const other = causes === '' ? '' : ` But ${causes} changed at the same time and may be the cause.`
  const goBack =
    current.goBackTo === undefined
      ? ''
      : ` Version ${name(current.goBackTo)} was better: compare them, and roll back to it if you cannot find the cause quickly.`
  return {
    title: `${which}, which runs now, is worse${current.verdict === 'worse' ? '' : ' than its share shows'}`,
    evidence,
    advice: `Look first at what changed with it.${other}${goBack}`,
  }
}

function versionChart({ version, all, others }: CurrentVersion): NonNullable<Finding['chart']> {
  return {
    title: 'Negative, by version',
    bars: [
      { ...all, label: version ?? 'Without a version', isMarked: true },
      { ...others, label: 'Other versions', isMarked: false },
    ],
  }
}

function evidenceOf(current: CurrentVersion, name: Naming): string {
  const shares = `${ofHowMany(current.all)} answers, against ${ofHowMany(current.others)} answers to the others`
  const { pValue, testedWithin } = current
  const tested = factorNames(testedWithin, name)
  const sentence =
    current.verdict === 'worse-hidden'
      ? `Compared separately by ${tested}, it gets more negative answers than the others (${formatPValue(pValue!)}). Its share alone does not show it (${shares}), because it gets a different mix of tasks.`
      : `Negative: ${shares} (${formatPValue(pValue!)}${tested === '' ? '' : `, also when compared separately by ${tested}`}).`
  return sentence + separation(current, name)
}

/**
 * "No difference" is only meaningful together with the difference that would have been detected.
 */
function noDifference({ all, others, level }: CurrentVersion): string {
  // Twice the level, because the test of the version is one-sided and this one is two-sided.
  const detectable = detectableDifference(all, others, 2 * level!)
  return `a difference of ${points(detectable)} would probably have been detected`
}

/** For use within a sentence; `atStart` makes it begin one. */
function versionName({ version }: CurrentVersion, name: Naming): string {
  return version === null ? 'the agent without a version' : `version ${name(version)}`
}

function atStart(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1)
}

function explanation({ explainedBy }: CurrentVersion, name: Naming): string {
  return typeof explainedBy === 'object'
    ? `the difference comes from one day, ${date(new Date(explainedBy.day * dayMilliseconds))}: without it the versions do not differ measurably.`
    : `this is explained by ${causeNames([explainedBy!], name)}: compared separately, the versions do not differ measurably.`
}

function separation(current: CurrentVersion, name: Naming): string {
  const { notSeparatedFrom } = current
  const factors = notSeparatedFrom.filter((factor) => factor !== 'time')
  const sentences = [
    ...(notSeparatedFrom.includes('time')
      ? [
          'These answers cannot show whether the version or a change over time is the cause: a steady change over the days explains them almost as well.',
        ]
      : []),
    ...(factors.length > 0
      ? [
          `${atStart(causeNames(factors, name))} changed together with the version, so these answers cannot show which is the cause.`,
        ]
      : []),
  ]
  return sentences.map((sentence) => ` ${sentence}`).join('')
}

/** Names factors after "compared separately by". */
export function factorNames(factors: Factor[], name: Naming): string {
  return list(factors, { reviewer: 'reviewer', version: 'version', weekend: 'weekday and weekend' }, name)
}

/** Names factors as possible causes of a difference. */
function causeNames(factors: Factor[], name: Naming): string {
  return list(factors, { reviewer: 'the reviewers', weekend: 'the mix of weekdays and weekends' }, name)
}

function list(factors: Factor[], names: Record<string, string>, name: Naming): string {
  const listed = factors.map((factor) => names[factor] ?? name(factor))
  return listed.length < 2 ? listed.join('') : `${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}`
}
