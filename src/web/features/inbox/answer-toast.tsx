import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isTyping, useShortcuts } from '../../lib/shortcuts.ts'
import { KeyCap } from '../../ui/key-cap.tsx'
import { useHandOnFocus } from '../../ui/use-hand-on-focus.ts'
import { visible } from '../../ui/visible-text.tsx'
import type { FailedAnswer, HeldAnswer } from './answer-queue.ts'
import { useQueue } from './use-answers.ts'

/** What is on its way, for as long as it is; and what did not arrive, until someone has read it. */
export function AnswerToast({ onOpen }: { onOpen: (taskId: string) => void }) {
  const { queue, held, sending, failed } = useQueue()

  function undo() {
    if (!held) return
    queue.takeBack()
    onOpen(held.taskId)
  }

  useShortcuts({
    ...(held && {
      z: undo,
      '$mod+z': (event) => {
        // There it takes back what was typed.
        if (isTyping(event.target)) return
        event.preventDefault()
        undo()
      },
    }),
  })

  const last = held ?? sending.at(-1)
  return (
    <div className="toasts">
      {failed && <FailedToast failed={failed} onOpen={onOpen} onDismiss={() => queue.dismiss()} />}
      {/* There from the start: only then a screen reader says what comes into it. */}
      <div role="status">
        {last && (
          <div
            className={held || ('wasHeld' in last && last.wasHeld) ? 'toast' : 'toast late'}
            key={last.taskId}
          >
            <span>
              Sending “<bdi>{visible(last.title)}</bdi>”
              {!held && sending.length > 1 && ` and ${sending.length - 1} more`}
            </span>
            {held && (
              <>
                <Fuse key={held.taskId} held={held} />
                <Ways>
                  <button type="button" onClick={undo}>
                    Undo <KeyCap>Z</KeyCap>
                  </button>
                  <button type="button" onClick={() => queue.commit()}>
                    Send now
                  </button>
                </Ways>
              </>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

/** How long it can still be taken back: a line that shrinks, or a number for those who want no motion. */
function Fuse({ held }: { held: HeldAnswer }) {
  const [left, setLeft] = useState(held.seconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(1, before - 1)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <span className="fuse" style={{ animationDuration: `${held.seconds}s` }} aria-hidden="true" />
      <span className="fuse-count num" aria-hidden="true">
        {left} s
      </span>
    </>
  )
}

type FailedProps = { failed: FailedAnswer; onOpen: (taskId: string) => void; onDismiss: () => void }

function FailedToast({ failed, onOpen, onDismiss }: FailedProps) {
  return (
    <div className="toast" role="alert">
      <span>
        “<bdi>{visible(failed.title)}</bdi>” was not sent. {failed.problem.detail}
      </span>
      <Ways>
        <button
          type="button"
          onClick={() => {
            onOpen(failed.taskId)
            onDismiss()
          }}
        >
          Open
        </button>
        <button type="button" onClick={onDismiss}>
          Dismiss
        </button>
      </Ways>
    </div>
  )
}

function Ways({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useHandOnFocus(box)
  return (
    <div className="contents" ref={box}>
      {children}
    </div>
  )
}
