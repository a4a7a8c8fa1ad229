import type { HandrailProblem } from '../../../client/problem.ts'
import type { CreateApiKey } from '../../../contract/api-key.ts'
import { TextField } from '../../ui/text-field.tsx'
import styles from './key-limit-fields.module.css'

const fields = [
  ['apps', 'Apps', 'refunds, invoices'],
  ['types', 'Task types', 'refund-approval'],
  ['cidrs', 'Networks', '203.0.113.0/24'],
] as const

/** What a new key is limited to. Empty fields do not limit it. */
export function KeyLimitFields({ problem }: { problem: HandrailProblem | null }) {
  return (
    <details className={styles.limits}>
      <summary>Limit the key to apps, task types or networks</summary>
      <p className="under">
        Separate several values by commas. The key can create and read only matching tasks, and works only
        from these networks. An empty field doesn't limit it. You can't change the limits of a key later.
      </p>
      <div className="one-line">
        {fields.map(([name, label, placeholder]) => (
          <TextField
            key={name}
            label={label}
            name={name}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            error={problem?.errors.find(({ path }) => path.startsWith(name))?.message}
          />
        ))}
      </div>
    </details>
  )
}

export function readKeyLimits(form: FormData): Pick<CreateApiKey, 'apps' | 'types' | 'cidrs'> {
  const listIn = (name: string) =>
    String(form.get(name))
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== '')
  return Object.fromEntries(
    fields.map(([name]) => [name, listIn(name)] as const).filter(([, values]) => values.length > 0),
  )
}
