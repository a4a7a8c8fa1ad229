import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AskQuestion, QuestionAsked, QuestionKind } from '../../../../contract/question.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { announce } from '../../../lib/announce.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'
import { tabId } from '../../../lib/answer-store.ts'
import { asProblem } from '../../../lib/problem.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { revisedProblem, scrollToChanges } from '../answering/revised-problem.ts'
import { useFormRevision } from '../answering/use-form-revision.ts'
import { taskQuery } from '../task-query.ts'
import { notSentText, useMessageDraft } from './message-drafts.ts'

/** `isShown`: whether the task is still on screen, so that the next task may be opened. */
export type OnAsked = (taskId: string, asked: QuestionAsked, isShown: boolean) => void

let attempts = 0

type Inputs = { task: TaskRecord; gate: AnswerGate; isDisabled: boolean; onAsked: OnAsked }

/**
 * A question to the agent, or a request for changes, while it is written and sent. `kind` is
 * undefined while the composer is closed.
 */
export function useQuestionComposer({ task, gate, isDisabled, onAsked }: Inputs) {
  const { taskId } = task
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<QuestionKind>()
  const draft = useMessageDraft('agent', taskId)
  const { text, problem } = draft
  const [isMissing, setMissing] = useState(false)
  const [isSending, setSending] = useState(false)
  const formRevision = useFormRevision(task, gate)
  const field = useRef<HTMLTextAreaElement>(null)
  /** What had the focus when the composer was opened. */
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
      formRevision.begin()
    }
    setKind(next)
    setMissing(false)
    field.current?.focus()
  }

  /** Closes the composer and keeps the text. */
  function close() {
    if (isBusy.current) return
    setKind(undefined)
    if (problem) draft.change({ problem: undefined })
  }

  /** Closes the composer, keeps the text, and returns the focus to where it was before. */
  function cancel() {
    if (isBusy.current) return
    close()
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  }

  function change(next: string) {
    setMissing(false)
    draft.change({ text: next })
  }

  async function send() {
    if (!kind || isDisabled || isBusy.current) return
    const question = text.trim()
    if (question === '') {
      setMissing(true)
      field.current?.focus()
      return
    }
    if (formRevision.checkBeforeSending() === 'revised') {
      scrollToChanges()
      return draft.change({ problem: revisedProblem() })
    }
    isBusy.current = true
    setSending(true)
    const input = inputFor(kind, question)
    draft.change({ lastSent: input, problem: undefined })
    try {
      const asked = await api.askQuestion(taskId, input)
      // The person may have left the task, returned and written something else meanwhile.
      const isUnchanged = draft.latest().text.trim() === question
      draft.change({ ...(isUnchanged && { text: '' }), lastSent: undefined })
      void queryClient.invalidateQueries({ queryKey: ['past-questions', workspaceId] })
      latestOnAsked.current(taskId, asked, isMounted.current)
      setKind(undefined)
    } catch (thrown) {
      draft.change({ problem: asProblem(thrown) })
      if (!isMounted.current) announce(notSentText)
    } finally {
      isBusy.current = false
      setSending(false)
      void queryClient.invalidateQueries({ queryKey: taskQuery(api, workspaceId, taskId).queryKey })
    }
  }

  /** Sending the same message again uses the same idempotency key, so that it is asked once. */
  function inputFor(kindToSend: QuestionKind, question: string): AskQuestion {
    const { lastSent } = draft.latest()
    if (lastSent?.text === question && lastSent.kind === kindToSend) return lastSent
    return { kind: kindToSend, text: question, idempotencyKey: `${tabId}-${++attempts}` }
  }

  return { kind, text, isMissing, isSending, problem, field, open, close, cancel, change, send }
}

export type QuestionComposerState = ReturnType<typeof useQuestionComposer>
