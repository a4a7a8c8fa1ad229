import { useMutation } from '@tanstack/react-query'
import { ChevronDown, Download } from 'lucide-react'
import { DropdownMenu as Menu } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import type { TaskExportFormat } from '../../../contract/export.ts'
import { formatCount } from '../../lib/count.ts'
import { addDays, justBefore, startOfDay } from '../../lib/days.ts'
import { asProblem } from '../../lib/problem.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Icon } from '../../ui/icon.tsx'
import { MenuContent } from '../../ui/menu-content.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import styles from './export-tasks.module.css'
import type { DayRange } from './range.ts'
import { type ExportProgress, readExport } from './read-export.ts'
import type { StatisticsFilters } from './statistics-filters.ts'

const formats: Record<TaskExportFormat, string> = {
  jsonl: 'Tasks as JSON Lines',
  csv: 'Tasks as CSV',
  preferences: 'Preference pairs as JSON Lines',
  edits: 'Edits as JSON Lines, before and after',
}

/** Exports the handled tasks that match the filters as a file. */
export function ExportTasks({ filters, range }: { filters: StatisticsFilters; range: DayRange }) {
  const { api } = useWorkspace()
  const [isOpen, setOpen] = useState(false)
  const [progress, setProgress] = useState<ExportProgress>()
  const aborter = useRef<AbortController>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const { app, type, version, person } = filters

  const exporting = useMutation({
    mutationFn: async (format: TaskExportFormat) => {
      const abort = new AbortController()
      aborter.current = abort
      setProgress({ read: 0 })
      const url = api.exportUrl({
        format,
        app,
        type,
        version,
        handledBy: person,
        handledAfter: justBefore(range.from),
        handledBefore: startOfDay(addDays(range.to, 1)),
      })
      try {
        const { name, blob } = await readExport(url, format, setProgress, abort.signal)
        saveFile(name, blob.type, blob)
      } catch (thrown) {
        if (!abort.signal.aborted) throw thrown
      }
    },
    onSettled: () => setProgress(undefined),
  })

  // Leaving the page cancels the export.
  useEffect(() => () => aborter.current?.abort(), [])

  function cancel() {
    aborter.current?.abort()
    // The pressed button disappears with the progress.
    trigger.current?.focus()
  }

  return (
    <div className={styles.export}>
      {progress && (
        <>
          <span>{describeProgress(progress)}</span>
          <progress
            aria-label="Export"
            max={progress.total ?? 1}
            {...(progress.total && { value: progress.read })}
          />
          <button type="button" className="btn small quiet" onClick={cancel}>
            Cancel
          </button>
        </>
      )}
      <Menu.Root modal={false} open={isOpen} onOpenChange={(open) => setOpen(open && !progress)}>
        <Menu.Trigger ref={trigger} className="btn small quiet" aria-disabled={progress !== undefined}>
          <Icon of={Download} />
          Export
          <Icon of={ChevronDown} />
        </Menu.Trigger>
        <MenuContent sideOffset={4}>
          {Object.entries(formats).map(([format, label]) => (
            <Menu.Item key={format} onSelect={() => exporting.mutate(format as TaskExportFormat)}>
              {label}
            </Menu.Item>
          ))}
        </MenuContent>
      </Menu.Root>
      {exporting.error && <ProblemStrip message="The export failed." problem={asProblem(exporting.error)} />}
    </div>
  )
}

function describeProgress({ read, total }: ExportProgress): string {
  return total === undefined ? 'Exporting…' : `Exporting ${formatCount(read)} of ${formatCount(total)}`
}
