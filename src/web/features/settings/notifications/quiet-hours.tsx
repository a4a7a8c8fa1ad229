import { useState } from 'react'
import type { QuietHours } from '../../../../contract/notification.ts'
import checkLineStyles from '../../../ui/check-line.module.css'
import { LabelledSelect } from '../../../ui/labelled-select.tsx'
import { SwitchLine } from '../../../ui/switch-line.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { readTimeZone } from './describe-notifications.ts'
import styles from './quiet-hours.module.css'

const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

type Props = {
  quietHours: QuietHours | undefined
  onChange: (quietHours: QuietHours | undefined) => void
}

/**
 * The hours during which no notifications are sent, or only those about urgent tasks. Each change
 * is saved immediately.
 */
export function QuietHoursSettings({ quietHours, onChange }: Props) {
  // Kept while quiet hours are off, so that turning them on again restores them.
  const [last, setLast] = useState<QuietHours>(
    () => quietHours ?? { from: '22:00', to: '07:00', timeZone: ownTimeZone(), exceptUrgent: true },
  )
  function change(changed: Partial<QuietHours>) {
    const next = { ...(quietHours ?? last), ...changed }
    setLast(next)
    onChange(next)
  }
  return (
    <section>
      <h2>Quiet hours</h2>
      <SwitchLine
        label="Send nothing at certain hours"
        description="Nothing about tasks, by email, push or Slack. Afterwards you get one message in each about what is still open."
        checked={quietHours !== undefined}
        onChange={() => onChange(quietHours ? undefined : last)}
      />
      {quietHours && <Hours quietHours={quietHours} onChange={change} />}
    </section>
  )
}

type HoursProps = { quietHours: QuietHours; onChange: (changed: Partial<QuietHours>) => void }

function Hours({ quietHours, onChange }: HoursProps) {
  const { from, to, timeZone, exceptUrgent } = quietHours
  return (
    <div className={styles.hours}>
      <div className={styles.times}>
        <TimeField label="From" value={from} other={to} onChange={(from) => onChange({ from })} />
        <TimeField label="To" value={to} other={from} onChange={(to) => onChange({ to })} />
        <LabelledSelect
          label="Time zone"
          value={timeZone}
          options={timeZoneOptions(timeZone)}
          onChange={(timeZone) => onChange({ timeZone })}
        />
      </div>
      <label className={checkLineStyles.checkLine}>
        <input
          type="checkbox"
          checked={exceptUrgent}
          onChange={({ target }) => onChange({ exceptUrgent: target.checked })}
        />
        <span>Send urgent tasks anyway</span>
      </label>
    </div>
  )
}

type TimeProps = { label: string; value: string; other: string; onChange: (value: string) => void }

/**
 * A time that must differ from `other`. An incomplete or equal time is not passed to `onChange`,
 * and is shown only until the field loses the focus.
 */
function TimeField({ label, value, other, onChange }: TimeProps) {
  const [rejected, setRejected] = useState<string>()
  return (
    <TextField
      label={label}
      type="time"
      value={rejected ?? value}
      error={rejected === other ? 'Must differ from the other time.' : undefined}
      onBlur={() => setRejected(undefined)}
      onChange={({ target }) => {
        const isValid = target.value !== '' && target.value !== other
        setRejected(isValid ? undefined : target.value)
        if (isValid) onChange(target.value)
      }}
    />
  )
}

/** Includes the chosen time zone, which this browser may list under another name. */
function timeZoneOptions(chosen: string): [string, string][] {
  const names = new Set([chosen, ownTimeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return [...names].sort().map((name) => [name, readTimeZone(name)])
}
