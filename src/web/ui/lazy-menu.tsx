import {
  type ButtonHTMLAttributes,
  type ComponentType,
  cloneElement,
  type ReactElement,
  useEffect,
  useState,
} from 'react'
import { preloadWhenIdle } from '../lib/preload.ts'
import { LoadingDialog } from './loading-dialog.tsx'

export type MenuProps = {
  /** The button that opens the menu. */
  trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/**
 * Loads a menu and its library when the page is idle, or on hover, focus or click of its button. If
 * the menu is opened before it is loaded, a dialog is shown: it receives the keys, which would be
 * shortcuts of the page otherwise, and says if loading failed.
 */
export function lazyMenu<Props extends MenuProps>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let Loaded: ComponentType<MenuProps> | undefined
  const loadMenu = async () => {
    Loaded = (await load()).default as ComponentType<MenuProps>
  }
  const preload = () => void loadMenu().catch(() => undefined)
  preloadWhenIdle(loadMenu)

  return function LazyMenu({
    trigger,
    isOpen: controlledIsOpen,
    onOpenChange,
    ...rest
  }: Pick<Props, 'trigger'> & Partial<MenuProps> & Omit<Props, keyof MenuProps>) {
    const [Menu, setMenu] = useState(() => Loaded)
    const [hasFailed, setFailed] = useState(false)
    const [ownIsOpen, setOwnIsOpen] = useState(false)
    const isOpen = controlledIsOpen ?? ownIsOpen
    const setIsOpen = onOpenChange ?? setOwnIsOpen
    useEffect(() => {
      if (!isOpen || Menu) return
      loadMenu().then(
        () => setMenu(() => Loaded),
        () => setFailed(true),
      )
    }, [isOpen, Menu])
    // Set only when the menu opens, because this replaces the button, which could lose the focus.
    if (isOpen && !Menu && Loaded) setMenu(() => Loaded)
    if (Menu) return <Menu {...rest} trigger={trigger} isOpen={isOpen} onOpenChange={setIsOpen} />
    function close() {
      setFailed(false)
      setIsOpen(false)
    }
    return (
      <>
        {cloneElement(trigger, {
          'aria-haspopup': 'menu',
          onPointerEnter: preload,
          onFocus: preload,
          onClick: () => setIsOpen(true),
        })}
        {isOpen && <LoadingDialog hasFailed={hasFailed} onClose={close} />}
      </>
    )
  }
}
