import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Value } from './value.tsx'

vi.mock('./markdown.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

test('if the script of a widget cannot be loaded, the value is shown without it and not blamed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { container } = render(<Value value="# Refund" hints={{ widget: 'markdown' }} />)
  await vi.waitFor(() =>
    expect(screen.getByRole('alert').textContent).toContain("This part couldn't be loaded."),
  )
  expect(container.textContent).toContain('# Refund')
  expect(container.textContent).not.toContain("can't show this value")
})
