import { cleanup, configure, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { RejectDialog } from './reject-dialog.tsx'

const answers = [{ feedback: 'Not enough context.' }]
vi.mock('./use-past-answers.ts', () => ({ usePastAnswers: () => ({ answers, add: () => undefined }) }))
// The dialog's script is loaded on demand.
configure({ asyncUtilTimeout: 20_000 })
afterEach(cleanup)

test('a common reason that the person has used before is offered once', async () => {
  render(
    <RejectDialog
      type="refund"
      initial=""
      previousProblem={undefined}
      onChange={() => undefined}
      onReject={async () => undefined}
      onClose={() => undefined}
    />,
  )
  expect(await screen.findAllByRole('button', { name: /Not enough context/ })).toHaveLength(1)
})
