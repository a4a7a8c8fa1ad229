import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { examples } from '../../../contract/gallery/examples.ts'
import { PayloadPreview } from './payload-preview.tsx'
import { validatePayload } from './validate-payload.ts'

// happy-dom has no workers. Nothing is checked here.
vi.mock('../../parts/form/check-in-worker.ts', () => ({ startChecker: () => undefined }))

test.each(examples)(
  'the payload of the example $id is valid and shown without a fallback, with the form of each action',
  async ({ payload }) => {
    expect(validatePayload(JSON.stringify(payload, null, 2))).toMatchObject({
      payload: {},
      errors: [],
      warnings: [],
    })
    const { container } = render(<PayloadPreview payload={payload} />)
    screen.getByText(payload.task.description)
    const buttons = within(screen.getByRole('group', { name: 'Actions' })).getAllByRole('button')
    for (const [index, { schema }] of payload.actions.entries()) {
      fireEvent.click(buttons[index]!)
      await waitFor(() => {
        expect(container.querySelector('.skeleton')).toBeNull()
        expect(container.querySelectorAll('form').length).toBe(schema ? 1 : 0)
      })
      expect(container.textContent).not.toMatch(/can't (be )?show|no widget named/)
    }
  },
)
