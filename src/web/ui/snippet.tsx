import { Tabs } from 'radix-ui'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import styles from './snippet.module.css'
import type { SnippetGroup } from './snippet-group.ts'

type SnippetProps = {
  /** The heading: the file to edit, where to run the commands, or what the text is. */
  where: string
  text: string
  copyLabel?: string
  /** Rendered instead of the plain text, for example with highlighting. */
  children?: ReactNode
}

/** The tab of a group of snippets. `highlight` renders the text of a block. */
export function snippetTab(
  { title, blocks, hint }: SnippetGroup,
  highlight = (text: string): ReactNode => text,
): SnippetTab {
  const content = (
    <>
      {blocks.map(({ where, text }) => (
        <Snippet key={text} where={where} text={text}>
          {highlight(text)}
        </Snippet>
      ))}
      <p className={styles.hint}>{hint}</p>
    </>
  )
  return { title, content }
}

/** Preformatted text with a copy button. */
export function Snippet({ where, text, copyLabel = 'Copy', children = text }: SnippetProps) {
  return (
    <div className={styles.snippet}>
      <header>
        {where}
        <CopyButton className="btn small" confirmation="text" text={() => text}>
          {copyLabel}
        </CopyButton>
      </header>
      {/* biome-ignore lint/a11y: a box that scrolls must take focus, and then it needs a role and a name */}
      <pre tabIndex={0} role="group" aria-label={where}>
        {children}
      </pre>
    </div>
  )
}

export type SnippetTab = { title: string; content: ReactNode }

export function SnippetTabs({ label, tabs }: { label: string; tabs: SnippetTab[] }) {
  return (
    <Tabs.Root defaultValue="0">
      <Tabs.List className={styles.tabs} aria-label={label}>
        {tabs.map(({ title }, n) => (
          <Tabs.Trigger key={title} value={String(n)}>
            {title}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ title, content }, n) => (
        <Tabs.Content key={title} value={String(n)} tabIndex={-1}>
          {content}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}
