import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useHere } from '../../lib/person.ts'
import { tasks } from './count.ts'
import { failuresInWords, runEach } from './run-each.ts'

export type BulkRun = { title: string; done: number; total: number }
export type BulkOutcome = { what: string; failures: string[] }

type Handlers = {
  onAnswered: (taskIds: ReadonlySet<string>) => void
  /** What could not be answered stays chosen. */
  onFailed: (taskIds: Iterable<string>) => void
}

/** The same answer to many tasks: one record a task, at once, without the undo of a single answer. */
export function useBulk({ onAnswered, onFailed }: Handlers) {
  const { workspaceId } = useHere()
  const queryClient = useQueryClient()
  const [run, setRun] = useState<BulkRun>()
  const [outcome, setOutcome] = useState<BulkOutcome>()

  async function send(
    title: string,
    inWords: (count: string) => string,
    taskIds: string[],
    answer: (taskId: string) => Promise<unknown>,
  ) {
    setOutcome(undefined)
    setRun({ title, done: 0, total: taskIds.length })
    const failed = await runEach(taskIds, answer, (done) => setRun({ title, done, total: taskIds.length }))
    const answered = new Set(taskIds.filter((taskId) => !failed.has(taskId)))
    for (const taskId of taskIds) {
      const queryKey = ['task', workspaceId, taskId]
      if (failed.has(taskId)) void queryClient.invalidateQueries({ queryKey })
      else queryClient.removeQueries({ queryKey })
    }
    setRun(undefined)
    setOutcome({ what: inWords(tasks(answered.size)), failures: failuresInWords(failed.values()) })
    onAnswered(answered)
    onFailed(failed.keys())
  }

  return { run, outcome, send, dismiss: () => setOutcome(undefined) }
}
