import { Link } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { CountedView } from '../../../contract/view.ts'
import { formatCount, formatTotalCount } from '../../lib/count.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { useRole } from '../../lib/role.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import {
  forMe,
  type InboxFilters,
  isFiltered,
  isSameFilter,
  noInboxFilters,
  searchOf,
} from '../../parts/task-list/inbox-filters.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useKeyHint } from '../../ui/key-cap.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { LoadingDialog } from '../../ui/loading-dialog.tsx'
import { useSaveViews } from './use-save-views.ts'
import { useHasForMe, useViews } from './use-views.ts'
import styles from './view-tabs.module.css'

const SaveViewDialog = lazyPart(() => import('./save-view-dialog.tsx'))

type Tab = { name: string; filters: InboxFilters; count?: string; list?: 'own' | 'shared' }

type Props = { filters: InboxFilters; snoozedCount: number }

/**
 * Links to the lists of the inbox: for me, all, the views of the workspace and of the person, and
 * snoozed tasks.
 */
export default function ViewTabs({ filters, snoozedCount }: Props) {
  const { workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const { data } = useViews()
  const hasForMe = useHasForMe()
  /** The open dialog: `save`, or the tab to remove, even if another tab has become the current one. */
  const [opened, setOpened] = useState<'save' | Tab>()
  const tabs: Tab[] = [
    ...(hasForMe ? [{ name: 'For me', filters: forMe }] : []),
    { name: 'All', filters: noInboxFilters },
    ...(data?.shared ?? []).map((view) => tabOf(view, 'shared')),
    ...(data?.views ?? []).map((view) => tabOf(view, 'own')),
    ...(snoozedCount > 0 || filters.snoozed ? [snoozedTab(snoozedCount)] : []),
  ]
  // Of two views with the same filters, the person's own is current, so that they can remove it.
  const current = tabs.findLast((tab) => isSameFilter(tab.filters, filters))
  const canSave = data !== undefined && !current && filters.q === undefined && isFiltered(filters)
  const canRemove = current?.list === 'own' || (current?.list === 'shared' && isAtLeast('admin'))
  const saveHint = useKeyHint('Save view', 'V')
  useShortcuts({ ...(canSave && { v: () => setOpened('save') }) })
  // With one list there is nothing to choose from.
  if (tabs.length === 1 && !canSave && !opened) return null
  const close = () => setOpened(undefined)
  return (
    <nav className={styles.tabs} aria-label="Views">
      {tabs.map((tab, n) => (
        <Link
          key={n}
          to="/w/$workspaceId/inbox"
          params={{ workspaceId }}
          search={searchOf(tab.filters)}
          aria-current={tab === current ? 'page' : undefined}
          activeOptions={{ exact: true }}
        >
          <bdi>{bidiSafe(tab.name)}</bdi> {tab.count !== undefined && <span>{tab.count}</span>}
        </Link>
      ))}
      {canRemove && (
        <button
          type="button"
          aria-label={`Remove view ${escapeBidi(current.name)}`}
          title={`Remove view ${escapeBidi(current.name)}`}
          onClick={() => setOpened(current)}
        >
          <Icon of={X} />
        </button>
      )}
      {canSave && (
        <button type="button" {...saveHint} onClick={() => setOpened('save')}>
          <Icon of={Plus} /> Save view
        </button>
      )}
      {opened === 'save' && (
        <Suspense fallback={<LoadingDialog onClose={close} />}>
          <SaveViewDialog filters={filters} onClose={close} />
        </Suspense>
      )}
      {opened && opened !== 'save' && opened.list && (
        <RemoveView view={opened} list={opened.list} onClose={close} />
      )}
    </nav>
  )
}

type RemoveProps = { view: Tab; list: 'own' | 'shared'; onClose: () => void }

function RemoveView({ view, list, onClose }: RemoveProps) {
  const save = useSaveViews(list)
  return (
    <ConfirmDialog
      title={`Remove view ${escapeBidi(view.name)}?`}
      description={
        list === 'shared'
          ? 'It disappears for everyone in the workspace.'
          : "The tasks themselves don't change."
      }
      confirmLabel="Remove view"
      onConfirm={() =>
        save.mutateAsync((views) =>
          views.filter(({ name, filters }) => name !== view.name || !isSameFilter(filters, view.filters)),
        )
      }
      onClose={onClose}
    />
  )
}

function tabOf({ name, filters, open, hasMore }: CountedView, list: 'own' | 'shared'): Tab {
  return {
    name,
    filters: { ...noInboxFilters, ...filters },
    count: formatTotalCount({ open, hasMore }),
    list,
  }
}

function snoozedTab(count: number): Tab {
  return { name: 'Snoozed', filters: { ...noInboxFilters, snoozed: 'true' }, count: formatCount(count) }
}
