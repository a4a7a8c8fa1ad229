import { expect, test } from 'vitest'
import { taskIdsOf } from './common-trait.ts'
import type { Observation } from './observation.ts'

test('a task whose content was deleted does not count as one without the field', () => {
  const answer = (taskId: string, hasContent: boolean) =>
    ({ taskId, hasContent, isNegative: true, fields: {} }) as unknown as Observation
  const finding = { kind: 'field', title: '', evidence: '', advice: '' } as const
  const observations = [answer('kept', true), answer('deleted', false)]
  const withoutRegion = { field: 'context.region', value: '' }
  expect(taskIdsOf({ ...finding, trait: withoutRegion }, observations)).toEqual(['kept'])
})
