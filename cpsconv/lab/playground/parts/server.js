// The engine behind the server: closing the connection ends the process that answers.
export async function ask(request, signal, started) {
  started();
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("answer", { method: "POST", headers, body: JSON.stringify(request), signal });
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
}
