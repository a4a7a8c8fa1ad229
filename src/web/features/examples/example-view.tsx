import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import type { CreateTask } from '../../../contract/create-task.ts'
import type { Example } from '../../../contract/gallery/example.ts'
import { basePath } from '../../lib/base-path.ts'
import { asProblem } from '../../lib/problem.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { focusIfLost } from '../../ui/focus-if-lost.ts'
import { Icon } from '../../ui/icon.tsx'
import { SnippetTabs, snippetTab } from '../../ui/snippet.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { callSnippets } from './call-snippets.ts'
import { ExampleNotes, useReviewers } from './example-notes.tsx'
import styles from './example-view.module.css'
import { PayloadEditor } from './payload-editor.tsx'
import { PayloadPreview } from './payload-preview.tsx'
import { validatePayload } from './validate-payload.ts'

export function ExampleView({ example }: { example: Example }) {
  const { api, workspaceId } = useWorkspace()
  const isPhone = useIsPhone()
  const original = useMemo(() => JSON.stringify(example.payload, null, 2), [example])
  const [text, setText] = useState(original)
  // Deferred, so that typing stays responsive: validating half a megabyte may take a while.
  const deferredText = useDeferredValue(text)
  const validation = useMemo(() => validatePayload(deferredText), [deferredText])
  // The last valid payload stays in the preview while the text is invalid.
  const [validPayload, setValidPayload] = useState(example.payload)
  if (validation.payload && validation.payload !== validPayload) setValidPayload(validation.payload)
  const send = useMutation({ mutationFn: (payload: CreateTask) => api.createTask(payload) })
  // While `deferredText` is older than `text`, `validation` belongs to an earlier text, which must not
  // be sent.
  const payload = deferredText === text ? validation.payload : undefined
  // Memoized, because the payload may be large.
  const snippets = useMemo(
    () => callSnippets(validPayload, location.origin + basePath, example.replies),
    [validPayload, example],
  )
  const reviewers = useReviewers(validPayload)
  const hasTooFewReviewers = reviewers !== undefined && reviewers.available < reviewers.needed
  const canSend = payload !== undefined && !send.isPending && !hasTooFewReviewers

  function changeText(changed: string) {
    setText(changed)
    send.reset()
  }

  return (
    <main className={styles.example} id="example" tabIndex={-1}>
      <header className={styles.exampleHead}>
        {isPhone && (
          <Link className={styles.back} to="/w/$workspaceId/examples" params={{ workspaceId }}>
            <Icon of={ChevronLeft} />
            Examples
          </Link>
        )}
        <div>
          <h1>{example.title}</h1>
          <p>{example.about} If you send this task, everyone in this workspace sees it.</p>
        </div>
        {send.data ? (
          <Link
            ref={focusIfLost}
            className="btn"
            to="/w/$workspaceId/inbox/$taskId"
            params={{ workspaceId, taskId: send.data.taskId }}
          >
            Open in inbox
          </Link>
        ) : (
          <button
            type="button"
            className="btn primary"
            aria-disabled={!canSend}
            onClick={() => canSend && send.mutate(payload)}
          >
            {send.isPending ? 'Sending…' : 'Send to the inbox'}
          </button>
        )}
      </header>
      <ExampleNotes payload={validPayload} reviewers={reviewers} />
      {send.error && <ProblemStrip message="The task wasn't sent." problem={asProblem(send.error)} />}
      <div className={styles.exampleBody}>
        <section aria-label="Preview">
          <PayloadPreview payload={validPayload} />
        </section>
        <section aria-label="Payload" className={styles.exampleSource}>
          <SnippetTabs
            label="Format"
            tabs={[
              {
                title: 'JSON',
                content: (
                  <PayloadEditor
                    text={text}
                    validation={validation}
                    isChanged={text !== original}
                    onChange={changeText}
                    onReset={() => changeText(original)}
                  />
                ),
              },
              ...snippets.map((snippet) => snippetTab(snippet)),
            ]}
          />
        </section>
      </div>
    </main>
  )
}
