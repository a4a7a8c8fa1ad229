import { DropdownMenu as Menu } from 'radix-ui'
import type { ComponentProps } from 'react'
import { classes } from '../lib/classes.ts'
import { isFocusInOverlay } from './use-return-focus.ts'

/**
 * The content of a menu. When the menu closes, its button gets the focus, unless a dialog has the
 * focus.
 */
export function MenuContent({ className, ...props }: ComponentProps<typeof Menu.Content>) {
  return (
    <Menu.Content
      className={classes('menu', className)}
      align="end"
      collisionPadding={8}
      onCloseAutoFocus={(event) => isFocusInOverlay() && event.preventDefault()}
      {...props}
    />
  )
}
