import { Suspense, useEffect, useState } from 'react'
import { onFirstPageShown } from '../../lib/preload.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { LoadingDialog } from '../../ui/loading-dialog.tsx'
import { useGoToPages } from './go-to-pages.ts'

const ShortcutSheet = lazyPart(() => import('./shortcut-sheet.tsx'))
const Palette = lazyPart(() => import('./palette.tsx'))

/** Shortcuts that work on every page, and the dialogs they open. */
export function ShellKeys() {
  const [open, setOpen] = useState<'sheet' | 'palette'>()
  const pages = useGoToPages()
  const close = () => setOpen(undefined)
  // The inbox calls this earlier, when its list is shown.
  useEffect(() => void setTimeout(onFirstPageShown, 3_000), [])

  useShortcuts({
    // Some keyboard layouts type ? without Shift.
    '?': () => setOpen('sheet'),
    'Shift+?': () => setOpen('sheet'),
    '$mod+k': (event) => {
      event.preventDefault()
      setOpen('palette')
    },
    ...Object.fromEntries(pages.map(({ shortcut, go }) => [shortcut, go])),
  })

  return (
    <Suspense fallback={<LoadingDialog onClose={close} />}>
      {open === 'sheet' && <ShortcutSheet onClose={close} />}
      {open === 'palette' && <Palette onClose={close} />}
    </Suspense>
  )
}
