import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { AskQuestion, QuestionAsked, QuestionKind } from '../../../contract/question.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import type { AnswerGate } from '../../lib/answer-gate.ts'
import { tabId } from '../../lib/answer-store.ts'
import { forgetKeysOf, registerMemory } from '../../lib/person-memory.ts'
import { asProblem } from '../../lib/problem.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { revisedProblem, scrollToChanges } from './revised-problem.ts'
import { taskQuery } from './task-query.ts'
import { useFormRevision } from './use-form-revision.ts'

/** `isShown`: the task is still on screen, so the next one may be opened. */
export type OnAsked = (taskId: string, asked: QuestionAsked, isShown: boolean) => void

/**
 * What a person has written, by person and task, while the page is open. `lastSent` has the key of the last attempt: sending the
 * same text again, even after leaving the task during a slow request, never asks twice.
 */
const drafts = new Map<string, { text: string; lastSent?: AskQuestion }>()
registerMemory({ forget: (userId) => forgetKeysOf(drafts, userId) })

let attempts = 0

type Inputs = { task: TaskRecord; gate: AnswerGate; isDisabled: boolean; onAsked: OnAsked }

/** A question to the agent, or a request for changes, while it is written and sent. */
export function useQuestion({ task, gate, isDisabled, onAsked }: Inputs) {
  const { taskId } = task
  const { api, me, workspaceId } = useWorkspace()
  // Someone else may sign in here next.
  const draftKey = `${me.person.userId} ${taskId}`
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<QuestionKind>()
  const [text, setText] = useState(() => drafts.get(draftKey)?.text ?? '')
  const [isMissing, setMissing] = useState(false)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<HandrailProblem>()
  const formRevision = useFormRevision(task, gate)
  const field = useRef<HTMLTextAreaElement>(null)
  const opener = useRef<Element | null>(null)
  // Not state: a second press may come before the first one is rendered.
  const isBusy = useRef(false)
  const isMounted = useRef(true)
  const latestOnAsked = useRef(onAsked)
  latestOnAsked.current = onAsked
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  function open(next: QuestionKind) {
    if (isDisabled || isBusy.current) return
    if (!kind) {
      opener.current = document.activeElement
      formRevision.start()
    }
    setKind(next)
    setMissing(false)
    field.current?.focus()
  }

  /** Keeps the text. */
  function close() {
    if (isBusy.current) return
    setKind(undefined)
    setProblem(undefined)
  }

  /** Closes it and returns the focus to where it was. */
  function cancel() {
    close()
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  }

  function change(next: string) {
    setText(next)
    setMissing(false)
    drafts.set(draftKey, { ...drafts.get(draftKey), text: next })
  }

  async function send() {
    if (!kind || isDisabled || isBusy.current) return
    const question = text.trim()
    if (question === '') {
      setMissing(true)
      field.current?.focus()
      return
    }
    if (!formRevision.confirm()) {
      scrollToChanges()
      return setProblem(revisedProblem())
    }
    isBusy.current = true
    setSending(true)
    setProblem(undefined)
    try {
      const asked = await api.askQuestion(taskId, inputFor(kind, question))
      drafts.delete(draftKey)
      void queryClient.invalidateQueries({ queryKey: ['past-questions', workspaceId] })
      latestOnAsked.current(taskId, asked, isMounted.current)
      setKind(undefined)
      setText('')
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      isBusy.current = false
      setSending(false)
      void queryClient.invalidateQueries({ queryKey: taskQuery(api, workspaceId, taskId).queryKey })
    }
  }

  function inputFor(kindToSend: QuestionKind, question: string): AskQuestion {
    const { lastSent } = drafts.get(draftKey) ?? {}
    if (lastSent?.text === question && lastSent.kind === kindToSend) return lastSent
    const input = { kind: kindToSend, text: question, idempotencyKey: `${tabId}-${++attempts}` }
    drafts.set(draftKey, { text, lastSent: input })
    return input
  }

  return { kind, text, isMissing, isSending, problem, field, open, close, cancel, change, send }
}

export type Question = ReturnType<typeof useQuestion>
