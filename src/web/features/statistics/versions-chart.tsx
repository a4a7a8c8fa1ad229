import { limits } from '../../../contract/limits.ts'
import type { Statistics } from '../../../contract/statistics.ts'
import { formatDayRange } from '../../lib/days.ts'
import { formatInterval, formatPercent, formatPoints, formatShortPercent } from '../../lib/numbers.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Whisker } from '../../ui/whisker.tsx'
import { Chart } from './chart.tsx'
import chartsStyles from './charts.module.css'
import { FiguresTable } from './figures-table.tsx'
import { filtersOfCountedTasks } from './range.ts'
import type { StatisticsFilters } from './statistics-filters.ts'
import { summarizeVersions } from './summaries.ts'
import { TasksLink } from './tasks-link.tsx'

type Props = { figures: Statistics; filters: StatisticsFilters }
type Version = Statistics['versions'][number]

const verdictLabels: Record<Version['verdict'], string> = {
  better: 'Fewer negative',
  worse: 'More negative',
  'no-difference': 'No difference found',
  'too-few': 'Too few answers',
}
const tones: Partial<Record<Version['verdict'], string>> = { better: 'chip pos', worse: 'chip neg' }

// With fewer answers the share is unreliable.
const minAnswers = limits.answersToJudge
const maxHealthyShare = limits.healthyNegativeShare

/** Negative answers by version, newest first. */
export function VersionsChart({ figures: { versions, from, to }, filters }: Props) {
  // The line at the healthy share is in the middle, or further left if an interval needs the space.
  const max = Math.max(2 * maxHealthyShare, ...versions.map(({ high }) => high))
  const isAlone = versions.length === 1
  return (
    <Chart
      title="Versions"
      name="Versions"
      isTable
      summary={summarizeVersions(versions)}
      data={{
        columns:
          'Version,First day,Last day,Answers,Negative,Negative share,Low,High,Verdict,Detectable difference'
            .split(',')
            .map((name) => ({ name })),
        rows: versions.map(
          ({ version, firstDay, lastDay, n, count, share, low, high, verdict, detectable }) => [
            version,
            firstDay,
            lastDay,
            n,
            count,
            share,
            low,
            high,
            verdict,
            detectable ?? '',
          ],
        ),
      }}
    >
      <FiguresTable
        label="Versions"
        columns={[
          ['Version'],
          ['In use', 'lesser'],
          ['Answers', 'r'],
          ['Negative', 'r'],
          [`95 % interval, line at ${formatShortPercent(maxHealthyShare)}`, 'spare'],
          ['Compared with others', 'r'],
        ]}
      >
        {versions.map(
          ({ version, firstDay, lastDay, n, share, low, high, verdict, detectable, isNewest }) => (
            <tr key={version} className={n < minAnswers ? chartsStyles.thin : undefined}>
              <th scope="row">
                <span className="mono">
                  <bdi>{bidiSafe(version)}</bdi>
                </span>
              </th>
              <td className={chartsStyles.lesser}>{formatDayRange(firstDay, lastDay)}</td>
              <td className={chartsStyles.r}>
                <TasksLink count={n} filters={{ ...filtersOfCountedTasks(filters, { from, to }), version }} />
              </td>
              <td className={chartsStyles.r}>{formatPercent(share)}</td>
              <td className={`${chartsStyles.wide} ${chartsStyles.spare}`}>
                <Whisker
                  value={share}
                  low={low}
                  high={high}
                  max={max}
                  referenceLine={maxHealthyShare}
                  tone={n < minAnswers ? 'few' : isNewest ? 'accent' : undefined}
                  label={`${formatPercent(share)}, 95 % interval ${formatInterval(low, high)}`}
                />
              </td>
              <td className={chartsStyles.r}>
                <span className={tones[verdict] ?? 'chip'}>
                  {isAlone && n >= minAnswers ? 'Only version' : verdictLabels[verdict]}
                </span>
                {detectable !== undefined && (
                  <span className={chartsStyles.note}>
                    {formatPoints(detectable)} would probably have been detected
                  </span>
                )}
              </td>
            </tr>
          ),
        )}
      </FiguresTable>
    </Chart>
  )
}
