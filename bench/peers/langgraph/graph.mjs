import { Annotation, END, interrupt, START, StateGraph } from '@langchain/langgraph'

// A task for a person as LangGraph has it: a node that stops at an interrupt with what the person sees, and goes on with the answer.

const State = Annotation.Root({ task: Annotation(), answer: Annotation() })

export const builder = new StateGraph(State)
  .addNode('ask', ({ task }) => ({ answer: interrupt(task) }))
  .addEdge(START, 'ask')
  .addEdge('ask', END)

export const graph = builder.compile()
