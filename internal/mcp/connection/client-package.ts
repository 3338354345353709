// The package of the MCP client. It is large, so it loads with the first connection.
export const loadMcpClient = () => import('@modelcontextprotocol/client')
