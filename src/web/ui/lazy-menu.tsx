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

/** A menu that comes, with the library that draws it, when someone reaches for its button. Until then there is the button. */
export function lateMenu<Props extends MenuProps>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Loaded = lazy(load) as unknown as ComponentType<MenuProps>
  const prepare = () => void load().catch(() => undefined)

  return function LateMenu({
    trigger,
    isOpen: isOpenOutside,
    onOpenChange,
    ...rest
  }: Pick<Props, 'trigger'> & Partial<MenuProps> & Omit<Props, keyof MenuProps>) {
    const [isWanted, setWanted] = useState(false)
    const [isOpenHere, setOpenHere] = useState(false)
    const isOpen = isOpenOutside ?? isOpenHere
    const change = onOpenChange ?? setOpenHere
    const button = cloneElement(trigger, {
      'aria-haspopup': 'menu',
      onPointerEnter: prepare,
      onFocus: prepare,
      onClick: () => {
        setWanted(true)
        change(true)
      },
    })
    if (!isWanted && !isOpen) return button
    return (
      <Suspense fallback={button}>
        <Loaded {...rest} trigger={trigger} isOpen={isOpen} onOpenChange={change} />
      </Suspense>
    )
  }
}
