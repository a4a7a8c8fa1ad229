import {
  type ButtonHTMLAttributes,
  type ComponentType,
  cloneElement,
  type ReactElement,
  useEffect,
  useState,
} from 'react'
import { LoadingDialog } from './loading-dialog.tsx'

export type MenuProps = {
  /** The button that opens it. */
  trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/**
 * Loads a menu and its library on hover, focus or click of its button; shows the button until then. If it can't be
 * loaded, a dialog says so.
 */
export function lazyMenu<Props extends MenuProps>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const preload = () => void load().catch(() => undefined)

  return function LazyMenu({
    trigger,
    isOpen: controlledIsOpen,
    onOpenChange,
    ...rest
  }: Pick<Props, 'trigger'> & Partial<MenuProps> & Omit<Props, keyof MenuProps>) {
    const [Menu, setMenu] = useState<ComponentType<MenuProps>>()
    const [hasFailed, setFailed] = useState(false)
    const [ownIsOpen, setOwnIsOpen] = useState(false)
    const isOpen = controlledIsOpen ?? ownIsOpen
    const setIsOpen = onOpenChange ?? setOwnIsOpen
    useEffect(() => {
      if (!isOpen || Menu) return
      load().then(
        (module) => setMenu(() => module.default as ComponentType<MenuProps>),
        () => setFailed(true),
      )
    }, [isOpen, Menu])
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
        {hasFailed && <LoadingDialog hasFailed onClose={close} />}
      </>
    )
  }
}
