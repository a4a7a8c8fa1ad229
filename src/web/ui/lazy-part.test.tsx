import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { useShortcuts } from '../lib/shortcuts.ts'
import { lazyMenu, type MenuProps } from './lazy-menu.tsx'
import { onDemandPart } from './lazy-part.tsx'

const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
afterEach(() => {
  reload.mockClear()
})

/** A browser does not request a failed script again. */
const fails = async () => {
  throw new TypeError('Failed to fetch dynamically imported module')
}

test('a part whose script cannot be loaded says so, and offers to reload the page', async () => {
  const Part = onDemandPart(fails)
  render(
    <Suspense>
      <Part />
    </Suspense>,
  )
  expect((await screen.findByRole('alert')).textContent).toContain("This part couldn't be loaded.")
  await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }))
  expect(reload).toHaveBeenCalledOnce()
})

test('a dialog whose script cannot be loaded says so in a dialog that closes or reloads the page', async () => {
  const onClose = vi.fn()
  const Part = onDemandPart<{ onClose: () => void }>(fails)
  render(
    <Suspense>
      <Part onClose={onClose} />
    </Suspense>,
  )
  await screen.findByRole('dialog', { name: "This part couldn't be loaded." })
  // Typed before the dialog was noticed.
  await userEvent.keyboard(' {Enter}')
  expect(reload).not.toHaveBeenCalled()
  await userEvent.keyboard('{Tab}{Tab}{Enter}')
  expect(reload).toHaveBeenCalledOnce()
  await userEvent.keyboard('{Tab}{Enter}')
  expect(onClose).toHaveBeenCalledOnce()
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(2)
  expect(reload).toHaveBeenCalledOnce()
})

test('a menu whose script cannot be loaded says so each time it is opened', async () => {
  const Menu = lazyMenu<MenuProps>(fails)
  const button = <button type="button">Account</button>
  render(<Menu trigger={button} />)
  for (let n = 0; n < 2; n += 1) {
    await userEvent.click(screen.getByRole('button', { name: 'Account' }))
    await screen.findByRole('dialog', { name: "This part couldn't be loaded." })
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  }
})

test('a menu that is still loading takes the keys, which are shortcuts of the page otherwise', async () => {
  const finish: (() => void)[] = []
  const Menu = lazyMenu<MenuProps>(
    () =>
      new Promise((resolve) => {
        const Loaded = ({ isOpen }: MenuProps) => (isOpen ? <div role="menu" /> : null)
        finish.push(() => resolve({ default: Loaded }))
      }),
  )
  const onSnooze = vi.fn()
  function Page() {
    const [isOpen, setOpen] = useState(false)
    useShortcuts({ f: () => setOpen(true), h: onSnooze })
    return <Menu trigger={<button type="button">Filter</button>} isOpen={isOpen} onOpenChange={setOpen} />
  }
  render(<Page />)
  await userEvent.keyboard('fh')
  expect(onSnooze).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.keyboard('fh')
  for (const run of finish) run()
  await screen.findByRole('menu')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(onSnooze).not.toHaveBeenCalled()
})
