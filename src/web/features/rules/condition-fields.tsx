import { Plus, X } from 'lucide-react'
import { type RefObject, useId, useRef } from 'react'
import { limits } from '../../../contract/limits.ts'
import { FieldError } from '../../ui/field-error.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Options, Select } from '../../ui/select.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
import { useFocusHandoff } from '../../ui/use-focus-handoff.ts'
import type { ContextField } from './context-fields.ts'
import type { ConditionDraft } from './rule-draft.ts'
import styles from './rule-form.module.css'

const maxExampleLength = 40

const tests = [
  ['equals', 'is'],
  ['oneOf', 'is one of'],
  ['atMost', 'is at most'],
  ['atLeast', 'is at least'],
  ['present', 'is present'],
  ['absent', 'is absent'],
] as const

type Props = {
  when: ConditionDraft[]
  /** The context fields of the newest task, which the form suggests. */
  fields: ContextField[]
  errorOf: (path: string) => string | undefined
  onChange: (when: ConditionDraft[]) => void
}

export function ConditionFields({ when, fields, errorOf, onChange }: Props) {
  const listId = useId()
  const addButton = useRef<HTMLButtonElement>(null)
  const change = (n: number, changed: Partial<ConditionDraft>) =>
    onChange(when.map((condition, at) => (at === n ? { ...condition, ...changed } : condition)))
  const error = errorOf('when')
  return (
    <SettingRow title="When all of these hold" help={`At most ${limits.ruleConditions} conditions.`}>
      {when.length === 0 && <p className="text-meta text-ink-2">Every task of the app and type.</p>}
      <datalist id={listId}>
        {fields.map(({ path, value }) => (
          <option key={path} value={path}>
            {`${value}`.slice(0, maxExampleLength)}
          </option>
        ))}
      </datalist>
      {when.map((condition, n) => (
        <Condition
          key={n}
          number={n + 1}
          condition={condition}
          listId={listId}
          addButton={addButton}
          example={fields.find(({ path }) => path === condition.field)?.value}
          fieldError={errorOf(`when[${n}].field`) ?? errorOf(`when[${n}]`)}
          valueError={errorOf(`when[${n}].value`)}
          onChange={(changed) => change(n, changed)}
          onRemove={() => onChange(when.filter((_, at) => at !== n))}
        />
      ))}
      {error && <FieldError id={`${listId}-error`}>{error}</FieldError>}
      {when.length < limits.ruleConditions && (
        <div>
          <button
            ref={addButton}
            type="button"
            className={`btn small quiet ${styles.add}`}
            onClick={() => onChange([...when, { field: '', is: 'equals', value: '' }])}
          >
            <Icon of={Plus} /> Add a condition
          </button>
        </div>
      )}
    </SettingRow>
  )
}

type ConditionProps = {
  number: number
  condition: ConditionDraft
  listId: string
  addButton: RefObject<HTMLButtonElement | null>
  example: string | number | boolean | undefined
  fieldError: string | undefined
  valueError: string | undefined
  onChange: (changed: Partial<ConditionDraft>) => void
  onRemove: () => void
}

function Condition(props: ConditionProps) {
  const { number, condition, listId, addButton, example, fieldError, valueError, onChange, onRemove } = props
  const { field, is, value } = condition
  const id = useId()
  const box = useRef<HTMLFieldSetElement>(null)
  useFocusHandoff(box, addButton)
  const valueProps = {
    className: `input ${styles.value}`,
    'aria-label': is === 'oneOf' ? 'Values, one per line' : 'Value',
    'aria-invalid': valueError !== undefined,
    'aria-describedby': valueError ? `${id}-value` : undefined,
    placeholder: example === undefined ? undefined : `${example}`.slice(0, maxExampleLength),
    value,
  }
  return (
    <fieldset ref={box} className={styles.condition}>
      <legend className="sr-only">Condition {number}</legend>
      <input
        className="input mono"
        aria-label="Field of the context"
        aria-invalid={fieldError !== undefined}
        aria-describedby={fieldError ? `${id}-field` : undefined}
        list={listId}
        maxLength={limits.ruleField}
        placeholder="refund.amount"
        spellCheck={false}
        autoComplete="off"
        value={field}
        onChange={({ target }) => onChange({ field: target.value })}
      />
      <div className={styles.test}>
        <Select
          aria-label="Test"
          value={is}
          onChange={({ target }) => onChange({ is: target.value as ConditionDraft['is'] })}
        >
          <Options options={tests} />
        </Select>
      </div>
      {is === 'oneOf' ? (
        <textarea {...valueProps} rows={3} onChange={({ target }) => onChange({ value: target.value })} />
      ) : is === 'present' || is === 'absent' ? (
        // Fills the column of the value, so that the button stays in its own.
        <span className={styles.value} />
      ) : (
        <input
          {...valueProps}
          inputMode={is === 'equals' ? undefined : 'decimal'}
          maxLength={limits.ruleValue}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      )}
      <button
        type="button"
        className={`btn square ${styles.remove}`}
        aria-label={`Remove condition ${number}`}
        onClick={onRemove}
      >
        <Icon of={X} />
      </button>
      {fieldError && <FieldError id={`${id}-field`}>{fieldError}</FieldError>}
      {valueError && <FieldError id={`${id}-value`}>{valueError}</FieldError>}
    </fieldset>
  )
}
