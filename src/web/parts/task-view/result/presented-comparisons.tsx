import { nameOf } from '../../../../contract/compare.ts'
import { isObject } from '../../../../contract/forms/json.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { Presented } from '../../../../contract/task-answer.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { hintsOf, titleOf } from '../../../widgets/hints.ts'

type Props = {
  presented: Presented
  context: TaskRecord['context']
}

/** How each comparison was shown to the person who answered: in which order, and with or without names. */
export function PresentedComparisons({ presented, context }: Props) {
  return (
    <ul className="text-ink-3">
      {Object.entries(presented).map(([field, { order, blind }]) => (
        <li key={field} className="wrap-anywhere">
          <bdi>{bidiSafe(titleOf(field, hintsOf(context?.ui, field)))}</bdi>: shown{' '}
          {blind ? 'without names' : 'with names'}, in the order{' '}
          <bdi>{bidiSafe(order.map((n) => nameAt(context?.data?.[field], n)).join(', '))}</bdi>
        </li>
      ))}
    </ul>
  )
}

function nameAt(items: unknown, n: number): string {
  const item: unknown = Array.isArray(items) ? items[n] : undefined
  return (isObject(item) && nameOf(item)) || String(n + 1)
}
