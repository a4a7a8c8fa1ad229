import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { row } from '../../../../test/support/inbox-samples.ts'
import { TaskRow } from './task-row.tsx'

const ignore = () => undefined

test.each([
  ['mara@shop.example', 'Mara answered “Approve”'],
  ['service:timeout', 'The deadline has passed'],
])('the row of a task that %s has answered reads "%s"', (by, text) => {
  const listed = { ...row('a'), rank: 'normal', rankedBy: 'a', page: 0 } as const
  render(
    <TaskRow
      row={{ ...listed, ending: { how: 'handled', by, title: 'Approve' } }}
      isOpen={false}
      isSelected={false}
      isSeen={false}
      me={{ userId: 'usr_me', email: 'me@shop.example' }}
      nameOf={(email) => (email === 'mara@shop.example' ? 'Mara' : undefined)}
      now={Date.now()}
      position={1}
      setSize={1}
      onOpen={ignore}
      onSelect={ignore}
    />,
  )
  expect(screen.getByRole('option').textContent).toContain(text)
})
