import { useId } from 'react'
import { limits } from '../../../contract/limits.ts'
import type { Backtest } from '../../../contract/rules/rule.ts'
import { localDay } from '../../lib/days.ts'
import { formatShortPercent } from '../../lib/numbers.ts'
import { FieldError } from '../../ui/field-error.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { oneIn } from './describe-rule.ts'
import type { RuleDraft } from './rule-draft.ts'
import styles from './rule-form.module.css'
import { lastDay } from './until.ts'

const sampleChoices = [0.05, 0.1, 0.25, 1]

type Props = {
  draft: RuleDraft
  backtest: Backtest | undefined
  errorOf: (path: string) => string | undefined
  onChange: (change: Partial<RuleDraft>) => void
}

/**
 * How many tasks still go to people, how much disagreement is allowed, when the rule ends, and
 * which versions it answers.
 */
export function LimitFields({ draft, backtest, errorOf, onChange }: Props) {
  const id = useId()
  const choices = sampleChoices.includes(draft.sample)
    ? sampleChoices
    : [...sampleChoices, draft.sample].sort((one, other) => one - other)
  const allowedError = errorOf('allowedDisagreement')
  const sampleError = errorOf('sample')
  return (
    <>
      <SettingRow
        title="Still ask people"
        help="Share of matching tasks that people still answer, without knowing which."
      >
        <div>
          <fieldset className={styles.segments} aria-describedby={sampleError && `${id}-sample`}>
            <legend className="sr-only">Still ask people</legend>
            {choices.map((sample) => (
              <label key={sample}>
                <input
                  type="radio"
                  name={id}
                  checked={draft.sample === sample}
                  onChange={() => onChange({ sample })}
                />
                <span>{sample === 1 ? 'Every one' : oneIn(sample)}</span>
              </label>
            ))}
          </fieldset>
          {sampleError && <FieldError id={`${id}-sample`}>{sampleError}</FieldError>}
        </div>
      </SettingRow>
      <SettingRow
        title="Allowed disagreement"
        help="The rule pauses when people disagree more often than this."
      >
        <div>
          <div className={styles.percent}>
            <input
              className="input"
              aria-label="Allowed disagreement in percent"
              aria-invalid={allowedError !== undefined}
              aria-describedby={allowedError ? `${id}-allowed` : undefined}
              inputMode="decimal"
              value={draft.allowed}
              onChange={({ target }) => onChange({ allowed: target.value.replace(',', '.') })}
            />
            <span>
              %{backtest && backtest.matching > 0 && describeSupport(Number(draft.allowed), backtest)}
            </span>
          </div>
          {allowedError && <FieldError id={`${id}-allowed`}>{allowedError}</FieldError>}
        </div>
      </SettingRow>
      <SettingRow title="Until" help={`At most ${limits.ruleDays} days ahead.`}>
        <div className={styles.short}>
          <TextField
            label="Until"
            hidesLabel
            type="date"
            min={localDay(Date.now())}
            max={lastDay()}
            value={draft.until}
            onChange={({ target }) => onChange({ until: target.value })}
            error={errorOf('until')}
          />
        </div>
      </SettingRow>
      <SettingRow title="Versions" help="Exact version names of the agent.">
        <TextField
          label="Versions"
          hidesLabel
          value={draft.versions}
          placeholder="Every version"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange({ versions: target.value })}
          help={`Separate several by commas. The rule answers tasks of a new version once ${limits.ruleNewVersionAgreements} answers in a row agree with it.`}
          error={errorOf('versions')}
        />
      </SettingRow>
    </>
  )
}

/** Compares the allowed disagreement (in percent) with what past answers show at 95 % confidence. */
function describeSupport(allowed: number, { atLeast }: Backtest): string {
  const upperBound = 1 - atLeast
  const only = allowed / 100 < upperBound ? ' only' : ''
  return `. Past answers${only} show that disagreement is below ${formatShortPercent(upperBound)}.`
}
