import {
  type ButtonHTMLAttributes,
  type ComponentType,
  cloneElement,
  lazy,
  type ReactElement,
  Suspense,
  useState,
} from 'react'

export type MenuProps = {
  /** The button that opens it. */
  trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Loads a menu and its library on hover, focus or click of its button; shows the button until then. */
export function lazyMenu<Props extends MenuProps>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Loaded = lazy(load) as unknown as ComponentType<MenuProps>
  const preload = () => void load().catch(() => undefined)

  return function LazyMenu({
    trigger,
    isOpen: controlledIsOpen,
    onOpenChange,
    ...rest
  }: Pick<Props, 'trigger'> & Partial<MenuProps> & Omit<Props, keyof MenuProps>) {
    const [isRequested, setRequested] = useState(false)
    const [ownIsOpen, setOwnIsOpen] = useState(false)
    const isOpen = controlledIsOpen ?? ownIsOpen
    const setIsOpen = onOpenChange ?? setOwnIsOpen
    const button = cloneElement(trigger, {
      'aria-haspopup': 'menu',
      onPointerEnter: preload,
      onFocus: preload,
      onClick: () => {
        setRequested(true)
        setIsOpen(true)
      },
    })
    if (!isRequested && !isOpen) return button
    return (
      <Suspense fallback={button}>
        <Loaded {...rest} trigger={trigger} isOpen={isOpen} onOpenChange={setIsOpen} />
      </Suspense>
    )
  }
}
