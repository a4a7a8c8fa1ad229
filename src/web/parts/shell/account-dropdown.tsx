import { useNavigate } from '@tanstack/react-router'
import { DropdownMenu as Menu } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { setPreference, usePreference } from '../../lib/preferences.ts'
import { chooseTheme, themes } from '../../lib/theme.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { KeyCap } from '../../ui/key-cap.tsx'
import type { MenuProps } from '../../ui/lazy-menu.tsx'
import { MenuContent } from '../../ui/menu-content.tsx'
import { MenuTick } from '../../ui/menu-tick.tsx'
import ShortcutSheet from './shortcut-sheet.tsx'
import { useSignOut } from './use-sign-out.tsx'
import { WorkspaceItems } from './workspace-items.tsx'

export default function AccountDropdown({ trigger, isOpen, onOpenChange }: MenuProps) {
  const { me, workspaceId } = useWorkspace()
  const isPhone = useIsPhone()
  const navigate = useNavigate()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const { signOut, dialog } = useSignOut()
  const theme = usePreference('theme')
  const singleKeys = usePreference('singleKeys')

  return (
    <>
      <Menu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
        <Menu.Trigger asChild>{trigger}</Menu.Trigger>
        <MenuContent side="right" sideOffset={8}>
          <div className="menu-label">
            <bdi>{me.person.email}</bdi>
          </div>
          {isPhone && me.workspaces.length > 1 && (
            <>
              <Menu.Separator className="menu-line" />
              <WorkspaceItems />
            </>
          )}
          <Menu.Item
            onSelect={() =>
              void navigate({
                to: '/w/$workspaceId/settings/$page',
                params: { workspaceId, page: 'account' },
              })
            }
          >
            <span className="mark" />
            Your account
          </Menu.Item>
          <Menu.Separator className="menu-line" />
          <Menu.RadioGroup value={theme} onValueChange={chooseTheme}>
            <Menu.Label className="menu-label">Theme</Menu.Label>
            {themes.map(([value, label]) => (
              <RadioItem key={value} value={value}>
                {label}
              </RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Separator className="menu-line" />
          <Menu.CheckboxItem
            checked={singleKeys === 'on'}
            onCheckedChange={(on) => setPreference('singleKeys', on ? 'on' : 'off')}
          >
            <MenuTick />
            Single-key shortcuts
          </Menu.CheckboxItem>
          <Menu.Item className="wide-only" onSelect={() => setSheetOpen(true)}>
            <span className="mark" />
            Keyboard shortcuts <KeyCap>?</KeyCap>
          </Menu.Item>
          <Menu.Separator className="menu-line" />
          <Menu.Item onSelect={() => void signOut()}>
            <span className="mark" />
            Sign out
          </Menu.Item>
        </MenuContent>
      </Menu.Root>
      {isSheetOpen && <ShortcutSheet onClose={() => setSheetOpen(false)} />}
      {dialog}
    </>
  )
}

function RadioItem({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Menu.RadioItem value={value}>
      <MenuTick />
      {children}
    </Menu.RadioItem>
  )
}
