import { useId } from 'react'
import type { Delivery, ListDeliveries } from '../../../contract/delivery.ts'
import { idPattern } from '../../../contract/id-pattern.ts'
import { hoursAgo } from '../../lib/dates.ts'
import { FieldError } from '../../ui/field-error.tsx'
import { Options } from '../../ui/select.tsx'
import { FilterGroup, FilterSelect } from './filter-controls.tsx'
import { optionalTimeRanges } from './time-ranges.ts'

/** Values of the form controls; '' means no filter. */
export type DeliveryFilter = { state: '' | Delivery['state']; hours: string; taskId: string }

const completeTaskId = new RegExp(`^tsk_${idPattern}$`)

/** The filter that is applied: an incomplete task ID is left out. */
export function effectiveFilter(filter: DeliveryFilter): DeliveryFilter {
  return { ...filter, taskId: completeTaskId.test(filter.taskId) ? filter.taskId : '' }
}

/**
 * With the state Failed, the time is when the deliveries failed, because a callback is retried for
 * more than a day. Otherwise it is when they were created.
 */
export function deliveryQueryOf({ state, hours, taskId }: DeliveryFilter): ListDeliveries {
  return {
    ...(state && { state }),
    ...(hours && { [state === 'failed' ? 'endedAfter' : 'createdAfter']: hoursAgo(Number(hours)) }),
    ...(taskId && { taskId }),
  }
}

const states = [
  ['', 'Any state'],
  ['failed', 'Failed'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
] as const

type Props = { filter: DeliveryFilter; onChange: (filter: DeliveryFilter) => void }

export function DeliveryFilters({ filter, onChange }: Props) {
  const taskField = useId()
  const isIncomplete = effectiveFilter(filter).taskId !== filter.taskId
  return (
    <>
      <FilterGroup>
        <FilterSelect
          label="State"
          value={filter.state}
          onChange={(state) => onChange({ ...filter, state: state as DeliveryFilter['state'] })}
        >
          <Options options={states} />
        </FilterSelect>
        <FilterSelect label="Time" value={filter.hours} onChange={(hours) => onChange({ ...filter, hours })}>
          <Options options={optionalTimeRanges} />
        </FilterSelect>
        <input
          className="input mono"
          id={taskField}
          aria-label="Task ID"
          aria-invalid={isIncomplete}
          aria-describedby={isIncomplete ? `${taskField}-error` : undefined}
          placeholder="tsk_…"
          value={filter.taskId}
          onChange={({ target }) => onChange({ ...filter, taskId: target.value.trim() })}
        />
      </FilterGroup>
      {isIncomplete && <FieldError id={`${taskField}-error`}>Enter a complete task ID (tsk_…).</FieldError>}
    </>
  )
}
