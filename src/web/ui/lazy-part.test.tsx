import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { afterEach, expect, test } from 'vitest'
import { lazyMenu, type MenuProps } from './lazy-menu.tsx'
import { onDemandPart } from './lazy-part.tsx'

afterEach(cleanup)

/** Fails the first time, as without a network. */
function failsOnce<T>(value: T) {
  let attempts = 0
  return async () => {
    attempts += 1
    if (attempts === 1) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: value }
  }
}

test('a part whose script cannot be loaded says so, and can be loaded again', async () => {
  const Part = onDemandPart(failsOnce(() => <p>Loaded</p>))
  render(
    <Suspense>
      <Part />
    </Suspense>,
  )
  expect((await screen.findByRole('alert')).textContent).toContain("This part couldn't be loaded.")
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Loaded')
})

test('a dialog whose script cannot be loaded says so in a dialog that closes', async () => {
  let isClosed = false
  const onClose = () => {
    isClosed = true
  }
  const Part = onDemandPart(failsOnce((_: { onClose: () => void }) => null))
  render(
    <Suspense>
      <Part onClose={onClose} />
    </Suspense>,
  )
  await screen.findByRole('dialog', { name: "This couldn't be loaded. Try again." })
  await userEvent.keyboard('{Escape}')
  expect(isClosed).toBe(true)
})

test('a menu whose script cannot be loaded says so, and opens with the next click', async () => {
  const Menu = lazyMenu(failsOnce(({ isOpen }: MenuProps) => isOpen && <div role="menu" />))
  const button = <button type="button">Account</button>
  render(<Menu trigger={button} />)
  // Without the hover, which would be the first attempt.
  screen.getByRole('button').click()
  await screen.findByRole('dialog', { name: "This couldn't be loaded. Try again." })
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  screen.getByRole('button').click()
  await screen.findByRole('menu')
})
