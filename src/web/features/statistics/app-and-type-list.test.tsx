import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { AppAndTypeList } from './app-and-type-list.tsx'

test('a long list says how many apps and types it leaves out, and shows them', async () => {
  const pairs = Array.from({ length: 15 }, (_, n) => ({ app: 'shop', type: `type-${n}`, health: 'healthy' }))
  render(<AppAndTypeList pairs={pairs as never}>{(_, name) => name}</AppAndTypeList>)
  expect(screen.getAllByRole('listitem')).toHaveLength(12)
  await userEvent.click(screen.getByRole('button', { name: 'Show 3 more of 15 apps and types' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(15)
})
