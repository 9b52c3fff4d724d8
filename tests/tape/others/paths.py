import heapq

graph = {'a': {'b': 1.0}, 'b': {'c': 2.0}, 'c': {}}

def shortest(start):
    dist = {}
    dist[start] = 0 * 1.0
    todo = [(0.0, start)]
    while todo:
        d, n = heapq.heappop(todo)
        for m, w in graph[n].items():
            if m not in dist or d + w < dist[m]:
                dist[m] = d + w
                heapq.heappush(todo, (d + w, m))
    return dist

print(shortest('a'))
