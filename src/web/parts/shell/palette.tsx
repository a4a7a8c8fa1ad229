import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import type { Command as PaletteCommand } from '../../lib/commands.ts'
import { capOf } from '../../lib/key-caps.ts'
import { statusLabels } from '../../lib/status-labels.ts'
import { formatAge } from '../../lib/time.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import dialogStyles from '../../ui/dialog.module.css'
import { Icon } from '../../ui/icon.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { PriorityMark } from '../../ui/priority-mark.tsx'
import { useCloseOnBack } from '../../ui/use-close-on-back.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import styles from './palette.module.css'
import { usePaletteEntries } from './use-palette-entries.ts'

const debounceMilliseconds = 150
const maxTasks = 8

/**
 * Command palette: actions of the task, commands, filters, pages, workspaces, themes, and tasks by
 * text or id.
 */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const returnFocus = useReturnFocus()
  useCloseOnBack(onClose)
  const [text, setText] = useState('')
  const entries = usePaletteEntries().filter(
    ({ group, label, isOneOfMany }) =>
      matches(`${group} ${label}`, text) && !(isOneOfMany && text.trim() === ''),
  )
  const groups = [...new Set(entries.map(({ group }) => group))]
  const { tasks, isPending, isError } = useFoundTasks(text)
  const isEmpty = entries.length + tasks.length === 0
  const status = isError
    ? "The tasks couldn't be searched."
    : isEmpty &&
      (isPending
        ? 'Searching…'
        : text.trim().length === 1
          ? 'Type one more character to search tasks.'
          : 'No results.')

  /** Runs the command after the palette has closed, so that the command sees the page without it. */
  function closeAndRun(run: () => void) {
    onClose()
    requestAnimationFrame(run)
  }

  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={dialogStyles.overlay} />
        <Radix.Content
          className={`${dialogStyles.dialog} ${styles.palette}`}
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
        >
          <Radix.Title className="sr-only">Search tasks and commands</Radix.Title>
          <Command label="Search tasks and commands" shouldFilter={false} loop>
            <div className={styles.search}>
              <Icon of={Search} />
              <Command.Input
                value={text}
                onValueChange={(value) => setText(value.slice(0, limits.query))}
                placeholder="Search tasks and commands"
              />
            </div>
            <Command.List>
              {groups.map((group) => (
                <Command.Group key={group} heading={group}>
                  {entries
                    .filter((entry) => entry.group === group)
                    .map((entry) => (
                      <EntryItem key={entry.id} entry={entry} onSelect={() => closeAndRun(entry.run)} />
                    ))}
                </Command.Group>
              ))}
              {tasks.length > 0 && (
                <Command.Group heading="Tasks">
                  {tasks.map((task) => (
                    <TaskItem
                      key={task.taskId}
                      task={task}
                      onSelect={() =>
                        closeAndRun(
                          () =>
                            void navigate({
                              to: '/w/$workspaceId/inbox/$taskId',
                              params: { workspaceId, taskId: task.taskId },
                            }),
                        )
                      }
                    />
                  ))}
                </Command.Group>
              )}
            </Command.List>
            <div role="status">{status && <p className={styles.note}>{status}</p>}</div>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function EntryItem({ entry, onSelect }: { entry: PaletteCommand; onSelect: () => void }) {
  return (
    <Command.Item value={entry.id} onSelect={onSelect}>
      <span className={styles.words}>
        <bdi>{bidiSafe(entry.label)}</bdi>
      </span>
      {entry.shortcut && <KeyCap>{capOf(entry.shortcut)}</KeyCap>}
    </Command.Item>
  )
}

function TaskItem({ task, onSelect }: { task: TaskRecord; onSelect: () => void }) {
  const now = useNow()
  return (
    <Command.Item value={task.taskId} onSelect={onSelect}>
      <PriorityMark priority={task.priority} hasLabel />
      <span className={styles.words}>
        <bdi>{bidiSafe(task.name)}</bdi>
        <span className={styles.detail}>
          {' '}
          <bdi>{bidiSafe(task.app)}</bdi> · {task.type}
        </span>
      </span>
      <span className={styles.detail}>
        {task.status === 'open' ? formatAge(task.createdAt, now) : statusLabels[task.status]}
      </span>
    </Command.Item>
  )
}

function useFoundTasks(text: string) {
  const { api, workspaceId } = useWorkspace()
  const typed = text.trim()
  const query = useDebounced(typed, debounceMilliseconds)
  const isSearching = query.length > 1
  const search = useQuery({
    queryKey: ['palette', workspaceId, query],
    queryFn: ({ signal }) => api.searchTasks({ query, limit: maxTasks }, signal),
    enabled: isSearching,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const tasks: TaskRecord[] = (isSearching && search.data?.tasks) || []
  const isStale = typed !== query || search.isPending || search.isPlaceholderData
  return {
    tasks,
    isPending: typed.length > 1 && isStale,
    // `isPaused`: the browser is offline.
    isError: isSearching && (search.isError || search.isPaused),
  }
}

/** Whether every typed word is the start of a word in the label. */
function matches(label: string, typed: string): boolean {
  const words = label.toLowerCase().split(/\s+/)
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}
