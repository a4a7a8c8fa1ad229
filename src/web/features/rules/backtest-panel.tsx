import type { UseQueryResult } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { limits } from '../../../contract/limits.ts'
import type { Backtest } from '../../../contract/rules/rule.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { asProblem } from '../../lib/problem.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BacktestFigures } from './backtest-figures.tsx'
import { PastDisagreements } from './past-disagreements.tsx'
import styles from './rule-form.module.css'
import frameStyles from './rules-frame.module.css'

const shownVersions = 3

/**
 * Compares what the rule would have answered in the past with what people answered. `isReady`: the
 * app and type, the conditions and the answer are complete.
 */
export function BacktestPanel({ query, isReady }: { query: UseQueryResult<Backtest>; isReady: boolean }) {
  return (
    <section aria-busy={query.isFetching}>
      <h2>Compared with past answers</h2>
      {!isReady ? (
        <p className={frameStyles.lead}>
          Choose the tasks, complete the conditions and choose an answer to see what the rule would have done.
        </p>
      ) : query.error ? (
        <Failure problem={asProblem(query.error)} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <Result result={query.data} />
      ) : (
        <div className="above-8 stack" role="status" aria-label="Comparing with past answers">
          <Skeleton height="1.25rem" />
          <Skeleton height="1.25rem" />
          <Skeleton height="1.25rem" />
        </div>
      )}
    </section>
  )
}

function Failure({ problem, onRetry }: { problem: HandrailProblem; onRetry: () => void }) {
  const { errors } = problem
  if (errors.length > 0)
    return (
      <p className={frameStyles.lead} role="status">
        {errors.every(({ path }) => path.startsWith('answer.data'))
          ? 'Complete the form of the answer to see what the rule would have done.'
          : errors.map(({ message }) => message).join(' ')}
      </p>
    )
  return (
    <>
      <p className="text-warn-ink" role="status">
        The rule couldn't be compared with past answers. {problem.detail}
      </p>
      <button type="button" className="btn small above-8" onClick={onRetry}>
        Try again
      </button>
    </>
  )
}

/** "12 disagreements", or "the newest 100 of 240 disagreements". */
function describeListed(listed: number, all: number): string {
  const disagreements = pluralize(all, 'disagreement')
  return listed < all ? `the newest ${formatCount(listed)} of ${disagreements}` : disagreements
}

function Result({ result }: { result: Backtest }) {
  const { answers, otherActions, matching, agreed, atLeast, perDay, versions, disagreements } = result
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const notPassed = versions.filter(({ passes }) => !passes)
  if (answers === 0)
    return (
      <p className={frameStyles.lead}>
        In the last {limits.ruleHistoryDays} days, people didn't answer any tasks of this app and type that a
        rule may answer.
      </p>
    )
  return (
    <>
      <div className="above-8">
        <BacktestFigures
          considered={answers - otherActions}
          covered={matching}
          agreed={agreed}
          atLeast={atLeast}
          perDay={perDay}
          agreementLabel="People agreed"
        />
      </div>
      <div className={styles.notes}>
        {matching === 0 && <p>No past task meets all conditions.</p>}
        {otherActions > 0 && (
          <p>
            {pluralize(otherActions, 'answer')} to tasks with other actions{' '}
            {otherActions === 1 ? 'was' : 'were'} not compared.
          </p>
        )}
        {notPassed.slice(0, shownVersions).map(({ version, agreedInRow }) => (
          <p key={version}>
            <bdi>{bidiSafe(version === '' ? 'Tasks without a version' : `Version ${version}`)}</bdi>:{' '}
            {formatCount(agreedInRow)} of {limits.ruleNewVersionAgreements} agreements in a row.
          </p>
        ))}
        {notPassed.length > shownVersions && (
          <p>And {pluralize(notPassed.length - shownVersions, 'more version')} with too few agreements.</p>
        )}
        {notPassed.length > 0 && (
          <p>
            Tasks of a version go to people until {limits.ruleNewVersionAgreements} answers in a row agree
            with the rule.
          </p>
        )}
      </div>
      {disagreements.length > 0 && (
        <>
          <button
            type="button"
            className="btn small above-8"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'See'} {describeListed(disagreements.length, matching - agreed)}
          </button>
          {isOpen && <PastDisagreements id={id} tasks={disagreements} />}
        </>
      )}
    </>
  )
}
