import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import PhoneDock from './phone-dock.tsx'

beforeEach(() => void vi.clearAllMocks())

const submit = vi.fn(async () => undefined)
const send = vi.fn(async () => undefined)
const pay = { id: 'pay', title: 'Pay', schema: { type: 'object' } }

function showDock({ chosen, kind }: { chosen?: typeof pay; kind?: 'question' }) {
  const props = {
    drafts: [],
    isEnded: false,
    questionButtons: null,
    answerProblem: null,
    questionProblem: null,
    hint: null,
    noQuestions: null,
  }
  render(
    <PhoneDock
      {...props}
      answering={{ actions: [pay], chosen, choose: () => undefined, submit, isSending: false } as never}
      composer={{ kind, send, close: () => undefined } as never}
      body={<textarea aria-label="Text" />}
      submit={
        <button type="button" onClick={kind ? send : submit}>
          Send
        </button>
      }
      onMarkDone={() => undefined}
      onReject={() => undefined}
    />,
  )
}

test.each(['Text', 'Send', 'Close'])('Ctrl+Enter sends the form in the sheet once, from %s', async (name) => {
  showDock({ chosen: pay })
  screen.getByRole(name === 'Text' ? 'textbox' : 'button', { name }).focus()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(submit.mock.calls).toEqual([[]])
  await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  expect(submit.mock.lastCall).toEqual([{ stays: true }])
  expect(submit).toHaveBeenCalledTimes(2)
})

test('Ctrl+Enter sends the question in the sheet once, and not the form that it covers', async () => {
  showDock({ chosen: pay, kind: 'question' })
  screen.getByRole('textbox').focus()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  expect([send.mock.calls.length, submit.mock.calls.length]).toEqual([1, 0])
})

test('Ctrl+Enter in the sheet sends nothing while a menu or dialog is open above it', async () => {
  showDock({ chosen: pay })
  const menu = document.body.appendChild(document.createElement('div'))
  menu.role = 'menu'
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  menu.remove()
  expect(submit).not.toHaveBeenCalled()
})
