import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { draftOf } from './policy-draft.ts'
import { TimeFields } from './time-fields.tsx'

test('assignees with the same name are told apart, and names are shown as they are written', () => {
  render(
    <TimeFields
      draft={draftOf(undefined)}
      groups={[{ slug: 'finance', name: 'Kim' }] as never}
      members={
        [
          { email: 'kim@a.example', name: 'Kim' },
          { email: 'lee@a.example', name: 'Lee\u202e' },
        ] as never
      }
      problem={null}
      onChange={() => undefined}
    />,
  )
  const options = within(screen.getByLabelText('Assignee')).getAllByRole('option')
  expect(options.slice(1).map(({ textContent }) => textContent)).toEqual([
    'Kim (group:finance)',
    'Kim (kim@a.example)',
    'Lee[RLO]',
  ])
})
