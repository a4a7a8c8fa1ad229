import snippetStyles from '../../ui/snippet.module.css'
import { Snippet, SnippetTabs } from '../../ui/snippet.tsx'
import { snippets } from './snippets.ts'

/** How a receiver verifies the signature of a callback. */
export function VerifySnippets() {
  return (
    <section>
      <h2>Is it really from us?</h2>
      <p>
        Calls follow Standard Webhooks v1. Check the text of the body as it came, not what your framework made
        of it.
      </p>
      <SnippetTabs
        label="Language"
        tabs={snippets.map(({ title, file, code, hint }) => ({
          title,
          content: (
            <>
              <Snippet where={file} text={code} />
              <p className={snippetStyles.hint}>{hint}</p>
            </>
          ),
        }))}
      />
    </section>
  )
}
