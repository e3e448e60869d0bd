"""Works through whole sites: the map of their URLs, and crawls that continue after every interruption."""
