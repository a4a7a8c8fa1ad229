import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { Review } from '../../../../contract/review.ts'
import RejectDialog from './reject-dialog.tsx'

const answers = [{ feedback: 'Not enough context.' }]
vi.mock('./use-past-answers.ts', () => ({ usePastAnswers: () => ({ answers, add: () => undefined }) }))
// The dialog's script is loaded on demand.

function openDialog(review?: Review) {
  const onReject = vi.fn(async () => undefined)
  render(
    <RejectDialog
      type="refund"
      review={review}
      initial=""
      previousProblem={undefined}
      onChange={() => undefined}
      onReject={onReject}
      onClose={() => undefined}
    />,
  )
  return onReject
}

test('a reason is required; one that was picked can be continued', async () => {
  const onReject = openDialog()
  const reject = await screen.findByRole('button', { name: /^Reject task/ })
  await userEvent.click(reject)
  screen.getByText('Enter a reason, so that the agent can learn from it.')
  expect(onReject).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: /Not enough context/ }))
  await userEvent.keyboard('Say which release.')
  await userEvent.click(reject)
  expect(onReject).toHaveBeenCalledWith('Not enough context. Say which release.')
})

test('a common reason that the person has used before is offered once', async () => {
  openDialog()
  expect(await screen.findAllByRole('button', { name: /Not enough context/ })).toHaveLength(1)
})

test('a rejection that is one of several answers does not promise that the agent stops', async () => {
  openDialog({ needed: 2, onDecline: 'collect', given: 0 })
  await screen.findByText(/: 2 people must give the same one\. The agent receives your reason when/)
  cleanup()
  // The person may be an admin whose answer decides alone.
  openDialog({ needed: 2, onDecline: 'collect', given: 2 })
  await screen.findByText(/one of the answers\. The agent receives your reason when/)
  cleanup()
  openDialog({ needed: 2, onDecline: 'end', given: 0 })
  await screen.findByText(/^The task ends and the agent receives your reason\./)
})
