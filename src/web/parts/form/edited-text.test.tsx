import type { WidgetProps } from '@rjsf/utils'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import EditedText from './edited-text.tsx'

test('after a reset the text field has the focus, and the text can be restored', async () => {
  function Field() {
    const [value, setValue] = useState('Dear Ana')
    const options = { edit: { before: 'Dear Ana', isLong: true } }
    const props = { id: 'reply', value, schema: {}, options, onChange: setValue }
    return <EditedText {...(props as unknown as WidgetProps)} />
  }
  render(<Field />)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox')
  expect(screen.queryByRole('button')).toBeNull()
  await userEvent.type(field, ' and Ben')
  await userEvent.click(screen.getByRole('button', { name: "Reset to the agent's text" }))
  expect([field.value, document.activeElement]).toEqual(['Dear Ana', field])
  await userEvent.click(screen.getByRole('button', { name: 'Restore your text' }))
  expect([field.value, document.activeElement]).toEqual(['Dear Ana and Ben', field])
})
