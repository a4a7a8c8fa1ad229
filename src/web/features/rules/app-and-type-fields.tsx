import { limits } from '../../../contract/limits.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { asProblem } from '../../lib/problem.ts'
import { LabelledSelect } from '../../ui/labelled-select.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import styles from './rule-form.module.css'
import { useAnsweredAppsAndTypes } from './use-rules.ts'

type Props = {
  app: string
  type: string
  error: string | undefined
  onChange: (appAndType: AppAndType) => void
}

/** The app and type of a new rule. Offers those with recent answers of people. */
export function AppAndTypeFields({ app, type, error, onChange }: Props) {
  const { data: appsAndTypes = [], isSuccess, error: failure, refetch } = useAnsweredAppsAndTypes()
  const apps = unique([...appsAndTypes.map((one) => one.app), app])
  const typesOf = (name: string) =>
    unique(appsAndTypes.filter((one) => one.app === name).map(({ type: typeName }) => typeName))
  const types = unique([...typesOf(app), type])
  return (
    <SettingRow title="Tasks of">
      <div className={styles.sideBySide}>
        <LabelledSelect
          label="App"
          hidesLabel
          value={app}
          options={[['', 'Choose an app'], ...apps.map((name) => [name, name] as const)]}
          error={error}
          onChange={(chosen) => onChange({ app: chosen, type: onlyValue(typesOf(chosen)) })}
        />
        <LabelledSelect
          label="Type"
          hidesLabel
          value={type}
          options={[['', 'Choose a type'], ...types.map((name) => [name, name] as const)]}
          onChange={(chosen) => onChange({ app, type: chosen })}
        />
      </div>
      {failure && (
        <ProblemStrip
          message="The apps and types couldn't be loaded."
          problem={asProblem(failure)}
          onRetry={() => void refetch()}
        />
      )}
      {isSuccess && appsAndTypes.length === 0 && (
        <p className="text-warn-ink">
          People haven't answered any tasks in the last {limits.ruleHistoryDays} days. A rule needs their
          answers to compare its own with.
        </p>
      )}
    </SettingRow>
  )
}

function unique(values: string[]): string[] {
  return [...new Set(values.filter((value) => value !== ''))].sort()
}

/** The value if there is exactly one, else ''. */
function onlyValue(values: string[]): string {
  return values.length === 1 ? values[0]! : ''
}
