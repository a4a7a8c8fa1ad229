import type { HandrailProblem } from '../../../client/problem.ts'
import { asProblem } from '../../lib/problem.ts'

/** An answer on its way: what it is called, and the call that sends it. */
export type Answer = {
  taskId: string
  actionId: string
  title: string
  /** Of what is sent, in bytes. */
  size: number
  /** The person stays with the task instead of going on to the next. */
  stays: boolean
  run: (call: { keepalive: boolean }) => Promise<unknown>
}
export type HeldAnswer = Answer & { seconds: number }
export type SendingAnswer = Answer & { wasHeld: boolean }
export type FailedAnswer = Answer & { problem: HandrailProblem }
/** Taken back, or refused after the person had gone on: with this its task begins when it is opened again. */
export type ReturnedAnswer = { taskId: string; actionId: string; problem?: HandrailProblem }

type QueueState = {
  held: HeldAnswer | undefined
  sending: SendingAnswer[]
  failed: FailedAnswer | undefined
  returned: ReturnedAnswer | undefined
  /** Tasks that were answered from this page. */
  sent: ReadonlySet<string>
}

type Ways = { onBack: () => void; onSettled: (problem: HandrailProblem | undefined) => void }

/** A request may outlive its page only up to 64 KiB, all such requests together: what is larger is never held. */
export const mostBytesHeld = 48 * 1024

/**
 * What a person sent waits here for a few seconds, in which it can be taken back. One answer is held at a time: the next
 * one sends it. It outlives the page it came from, so that a failure is still told when the person comes back.
 */
export class AnswerQueue {
  #state: QueueState = {
    held: undefined,
    sending: [],
    failed: undefined,
    returned: undefined,
    sent: new Set(),
  }
  #ways: Ways | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #listeners = new Set<() => void>()

  readonly snapshot = (): QueueState => this.#state
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  hold(answer: Answer, seconds: number, ways: Ways): void {
    this.commit()
    this.#ways = ways
    this.#change({ held: { ...answer, seconds }, failed: undefined })
    this.#timer = setTimeout(() => this.commit(), seconds * 1_000)
  }

  /** Nothing has been sent; the task is as it was. */
  takeBack(): void {
    const { held } = this.#state
    if (!held) return
    clearTimeout(this.#timer)
    this.#change({ held: undefined, returned: { taskId: held.taskId, actionId: held.actionId } })
    this.#ways?.onBack()
  }

  /** Sends what is held, now. */
  commit(): void {
    const { held } = this.#state
    const ways = this.#ways
    if (!held) return
    clearTimeout(this.#timer)
    this.#change({ held: undefined })
    void this.send(held, true).then((problem) => {
      if (problem) this.fail(held, problem)
      ways?.onSettled(problem)
    })
  }

  async send(answer: Answer, wasHeld = false): Promise<HandrailProblem | undefined> {
    if (!wasHeld) this.commit()
    const entry = { ...answer, wasHeld }
    this.#change({ sending: [...this.#state.sending, entry] })
    const problem = await answer.run({ keepalive: answer.size <= mostBytesHeld }).then(
      () => undefined,
      (thrown: unknown) => asProblem(thrown),
    )
    const { sending, sent } = this.#state
    this.#change({
      sending: sending.filter((other) => other !== entry),
      sent: problem ? sent : new Set(sent).add(answer.taskId),
    })
    return problem
  }

  fail(answer: Answer, problem: HandrailProblem): void {
    const { taskId, actionId } = answer
    this.#change({ failed: { ...answer, problem }, returned: { taskId, actionId, problem } })
  }

  dismiss(): void {
    this.#change({ failed: undefined })
  }

  /** For the task itself: it takes over what came back. */
  collect(taskId: string): ReturnedAnswer | undefined {
    const { returned } = this.#state
    if (returned?.taskId !== taskId) return undefined
    this.#change({ returned: undefined })
    return returned
  }

  #change(change: Partial<QueueState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

const byWorkspace = new Map<string, AnswerQueue>()

export function queueOf(workspaceId: string): AnswerQueue {
  const known = byWorkspace.get(workspaceId)
  if (known) return known
  const queue = new AnswerQueue()
  byWorkspace.set(workspaceId, queue)
  return queue
}
